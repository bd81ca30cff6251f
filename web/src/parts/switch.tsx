/** On or off. */

interface Switching {
  label: string;
  isOn: boolean;
  isBusy?: boolean;
  onChange: (on: boolean) => void;
}

export function Switch({ label, isOn, isBusy = false, onChange }: Switching) {
  return (
    <button
      type="button"
      role="switch"
      class="toggle"
      aria-checked={isOn}
      aria-label={label}
      disabled={isBusy}
      onClick={() => onChange(!isOn)}
    >
      <span class="knob" />
    </button>
  );
}
