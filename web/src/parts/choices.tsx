/** One of a few words. */

interface Choosing<T extends string> {
  label: string;
  options: Readonly<Record<T, string>>;
  value: T;
  onChange: (value: T) => void;
}

export function Choices<T extends string>({ label, options, value, onChange }: Choosing<T>) {
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">{label}</legend>
      {(Object.keys(options) as T[]).map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={label}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {options[option]}
        </label>
      ))}
    </fieldset>
  );
}
