/** Sends junk to a SIP port as scanners do: noise, requests of strangers and broken messages. Arguments: port, datagrams a second. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';

const [port = 0, perSecond = 0] = process.argv.slice(2).map(Number);
const socket = createSocket('udp4');
const request = (method: string, number: number): string =>
  `${method} sip:100@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5999;branch=z9hG4bK${number};rport\r\nMax-Forwards: 70\r\n` +
  `From: <sip:100@127.0.0.1>;tag=${number}\r\nTo: <sip:100@127.0.0.1>\r\nCall-ID: ${number}\r\nCSeq: 1 ${method}\r\n` +
  `User-Agent: friendly-scanner\r\nContent-Length: 0\r\n\r\n`;

const kinds = [
  (number: number) => request('INVITE', number),
  (number: number) => request('REGISTER', number),
  (number: number) => request('OPTIONS', number).slice(0, 150),
  () => randomBytes(400),
];

let sent = 0;
const startMs = performance.now();
setInterval(() => {
  for (const due = ((performance.now() - startMs) * perSecond) / 1000; sent < due; sent += 1) {
    socket.send(kinds[sent % kinds.length]!(sent), port, '127.0.0.1');
  }
}, 2);
process.on('message', () => process.send!(sent));
process.on('disconnect', () => process.exit(0));
process.send!('ready');
