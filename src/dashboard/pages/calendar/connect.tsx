import { api, connectCalendar, listAgents } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, SelectField, Submit, TextField } from '../../parts/form.tsx';
import { useForm } from '../../state/form.ts';
import { useResource } from '../../state/resource.ts';
import { session } from '../../state/session.ts';
import { calendar } from '../../text/calendar.ts';

export function Connect({ connected, close }: { connected: () => void; close: () => void }) {
  const agents = useResource(
    'agents',
    async (signal) => (await listAgents(api, { query: { limit: 500 }, signal })).data,
  );
  const form = useForm({
    initial: { api_key: '', account_name: '', agent_id: '' },
    success: calendar.connected,
    async save({ api_key: key, account_name: name, agent_id: agent }, { idempotencyKey }) {
      const body = {
        org_id: session.value!.organization.id,
        api_key: key,
        ...(name === '' ? {} : { account_name: name }),
        ...(agent === '' ? {} : { agent_id: agent }),
      };
      await connectCalendar(api, { body, idempotencyKey });
      connected();
      close();
    },
  });
  const choices = (agents.data ?? []).map(({ id, agentName }) => ({ value: id, text: agentName }));
  return (
    <Dialog title={calendar.connect} close={close} bare>
      <Form form={form}>
        <TextField form={form} name="api_key" label={calendar.apiKey} hint={calendar.apiKeyHint} type="password" />
        <TextField form={form} name="account_name" label={calendar.name} hint={calendar.nameHint} />
        <SelectField
          form={form}
          name="agent_id"
          label={calendar.agent}
          options={[{ value: '', text: calendar.everyAgent }, ...choices]}
        />
        <Submit form={form} text={calendar.submit} cancel={close} />
      </Form>
    </Dialog>
  );
}
