import { SelectField } from '../../parts/form.tsx';
import { valueText } from '../../parts/status.tsx';
import type { Form } from '../../state/form.ts';
import { people } from '../../text/people.ts';

const roles = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The choice of a role, with what each may do. */
export function RoleField<V extends { readonly role: Role }>({ form }: { form: Form<V> }) {
  return (
    <>
      <SelectField
        form={form}
        name="role"
        label={people.role}
        options={roles.map((value) => ({ value, text: valueText(value) }))}
      />
      <ul class="hint">
        {roles.map((role) => (
          <li key={role}>{people.roles[role]}</li>
        ))}
      </ul>
    </>
  );
}
