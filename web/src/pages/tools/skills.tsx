/** The skills that agents can load, and those that cannot be used. */

import type { Skills as Listed } from "../../api/admin-shapes";
import { useAsked } from "../../core/asked";
import { Shown } from "../../parts/shown";

export function Skills() {
  const asked = useAsked<Listed>("/v1/skills");
  return (
    <Shown asked={asked} what="the skills">
      {({ data, problems }) => (
        <>
          {data.length + problems.length === 0 && (
            <p class="empty">
              There are no skills. A skill is a folder with a file SKILL.md in “skills” of the home
              folder or of the workspace.
            </p>
          )}
          <ul class="cards" aria-label="Skills">
            {data.map((skill) => (
              <li class="card" key={`${skill.source}/${skill.folder}`}>
                <h3>
                  {skill.name} <span class="chip">{skill.source}</span>
                </h3>
                <p>{skill.description}</p>
                <code class="dim">{skill.folder}</code>
              </li>
            ))}
            {problems.map((problem) => (
              <li class="card" key={`${problem.source}/${problem.folder}`}>
                <h3>
                  {problem.folder} <span class="badge bad">cannot be used</span>
                </h3>
                <p>{problem.reason}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Shown>
  );
}
