import { createLog } from '../../base/log.ts';
import type { Call } from '../../features/calls/call.ts';
import type { CallReport } from '../../telephony/dialog/reports.ts';
import { createSipDriver } from '../../features/calls/carriers/sip/driver.ts';
import { parseUri, writtenHostPort } from '../../telephony/message/uri.ts';
import { type Running, start } from '../../main.ts';
import { UsageError } from '../command.ts';
import { type CommandSettings, configFrom, type Flags } from '../settings.ts';
import { stopSignal } from '../signals.ts';
import { createApi } from './api.ts';
import { pickModel } from './seed.ts';

/** `parley demo --sip sip:you@127.0.0.1:5070`: rings one phone and says on the terminal what happens. */

const flag = 'demo';
const settings: CommandSettings = {
  presets: [
    { path: 'http.port', value: '0', flag },
    { path: 'log.level', value: 'warn', flag },
    { path: 'sip.port', value: '0', flag },
    { path: 'speech.engine', value: 'echo', flag },
  ],
  fixed: [
    { path: 'carrier.driver', value: 'sip', flag },
    { path: 'http.public_url', value: 'null', flag },
    // Every address is allowed, because the operator names the phone on the command line; it is usually one in the local network.
    { path: 'sip.allow_networks', value: '["0.0.0.0/0", "::/0"]', flag },
  ],
};

/** Reserved for fiction, so they belong to nobody; the phone is called by its user name, not by a number. */
const caller = '+12025550199';
const callee = '+12025550100';

export async function callPhone(phone: string, flags: Flags): Promise<number> {
  const uri = parseUri(phone);
  if (!uri || uri.user === null)
    throw new UsageError(`--sip must be a SIP URI like sip:you@127.0.0.1:5070, not "${phone}"`);
  const { config } = configFrom(flags, settings);
  const stopRequested = stopSignal();
  const ended = Promise.withResolvers<boolean>();
  const driver = createSipDriver({
    callee: uri.user,
    onReport: (_callId, report) => tell(report, phone, ended.resolve),
  });
  const running = await start({
    config,
    log: createLog(config.log.level, config.log),
    ephemeral: true,
    checkAnswers: true,
    carrierDrivers: [driver],
  });
  try {
    const transport = uri.scheme === 'sips' ? 'tls' : (uri.parameters.get('transport') ?? 'udp').toLowerCase();
    console.log(`Calling ${phone} … answer it and speak: what you say is said back. Press Ctrl-C to hang up.`);
    await placeCall(running, writtenHostPort(uri.host, uri.port), transport);
    return (await Promise.race([ended.promise, stopRequested])) === true ? 0 : 1;
  } finally {
    await running.stop();
  }
}

async function placeCall({ url, apiKey }: Running, trunk: string, transport: string): Promise<void> {
  const api = createApi(url, apiKey!); // a first start always has it
  const { model, voiceId } = await pickModel(api);
  const { data: agent } = await api.post<{ id: string }>('/api/v1/agents/', { agentName: 'Ava', model, voiceId });
  const number = { phone: caller, termination_uri: trunk, transport };
  const { data: imported } = await api.post<{ id: string }>('/api/v1/phone-numbers/import', number);
  await api.post<Call>('/api/v1/calls', { agent_id: agent.id, phone_number_id: imported.id, to: callee });
}

function tell(report: CallReport, phone: string, end: (wasAnswered: boolean) => void): void {
  switch (report.type) {
    case 'invited':
    case 'reached':
    case 'transferred':
      return;
    case 'ringing':
      return console.log('ringing');
    case 'answered':
      return console.log(`answered, ${report.sip.codec ?? 'no codec'}${report.sip.srtp ? ', encrypted' : ''}`);
    case 'key':
      return console.log(`key ${report.digit}`);
    case 'out-of-reach':
      console.log(`${phone} cannot be reached: ${report.reason}`);
      return end(false);
    case 'withdrawn':
      console.log(`taken back before it rang: ${report.reason}`);
      return end(false);
    case 'ended': {
      const { status, errorMessage, talkedMs } = report.end;
      const after = talkedMs === null ? '' : ` after ${(talkedMs / 1000).toFixed(1)} s`;
      console.log(`ended: ${status}${after}${errorMessage === null ? '' : ` (${errorMessage})`}`);
      if (report.sip) {
        const { packets_sent: sent, packets_received: received, packets_lost: lost } = report.sip;
        console.log(`packets: ${sent} sent, ${received} received, ${lost} lost`);
      }
      return end(talkedMs !== null && status === 'completed');
    }
  }
}
