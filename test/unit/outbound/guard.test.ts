import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagePolicy } from '../../../src/base/outbound/policies.ts';
import { loadConfig } from '../../../src/main/configuration.ts';
import { type OutboundPolicy, createGuard, refusalOfUrl } from '../../../src/base/outbound/guard.ts';

const strict: OutboundPolicy = { allowNetworks: [], allowHttpLoopback: false };
const loopback: OutboundPolicy = { allowNetworks: [], allowHttpLoopback: true };

const refused = (url: string, policy = strict): void => {
  const sentence = refusalOfUrl(url, policy);
  assert.match(sentence ?? 'null', /^The URL .+\.$/, url);
};
const accepted = (url: string, policy = strict): void => assert.equal(refusalOfUrl(url, policy), null, url);

test('port 0 is refused', () => {
  for (const url of ['https://example.com:0/', 'https://example.com:00/hook', 'https://93.184.215.14:0/']) refused(url);
  for (const url of ['https://example.com:1/', 'https://example.com:65535/', 'https://example.com/0']) accepted(url);
});

/** Hosts that mean this machine, a private network or nothing public, in every notation that URL parsers accept. */
const NON_PUBLIC_HOSTS = [
  ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '2130706433', '017700000001', '0x7f000001'],
  ...['0x7f.1', '0x7f.0.0.1', '0X7F.0x0.0x0.0x1', '0177.0.0.1', '0177.1', '0x7f.0.1', '127.0.0.0x1', '%31%32%37.0.0.1'],
  ...[
    '127。0。0。1',
    '127.0.0.1',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '0x0',
    '00',
    '0.1',
    '10.0.0.1',
    '167772161',
    '0xa.1',
    '012.1',
  ],
  ...['100.64.0.1', '100.100.100.200', '168.63.129.16', '169.254.169.254', '2852039166', '0xa9fea9fe', '169.254.43518'],
  ...['0251.0376.0251.0376', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1'],
  ...[
    '192.168.0.1',
    '192.168.257',
    '3232235521',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
  ],
  ...['240.0.0.1', '255.255.255.255', '4294967295'],
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::0.0.0.1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
  ],
  ...['[::ffff:7f00:1]', '[::FFFF:7F00:0001]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]'],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::a00:1]', '[2002:7f00:1::]'],
  ...['[2002:a00:1::1]', '[2001::1]', '[2001:0:7f00:1::]', '[2001:db8::1]', '[2001:10::1]', '[2001:20::1]', '[100::1]'],
  ...[
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[3fff::1]',
    '[5f00::1]',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'LocalHost.',
    'a.localhost',
    'a.b.localhost.',
    'local%68ost',
    'localhost',
  ],
];

test('a host that is not public is refused in every notation, with and without a port', () => {
  for (const host of NON_PUBLIC_HOSTS) {
    refused(`https://${host}/hook`);
    refused(`https://${host}:8443/hook?x=1#y`);
    refused(`http://${host}/hook`);
  }
});

test('public literal addresses and all names are accepted, because names are checked on connecting', () => {
  for (const url of [
    ...['https://example.com', 'https://example.com/hook?a=b', 'https://example.com:8443/', 'HTTPS://EXAMPLE.COM/'],
    ...['https://8.8.8.8/', 'https://134744072/', 'https://[2606:4700:4700::1111]:9/', 'https://[::ffff:8.8.8.8]/'],
    ...['https://metadata.google.internal/', 'https://intranet/', 'https://printer.local/', 'https://notlocalhost/'],
    ...[
      'https://localhost.example.com/',
      'https://127.0.0.1.example.com/',
      'https://münchen.example/',
      'https://xn--mnchen-3ya.example/',
    ],
  ]) {
    accepted(url);
  }
});

test('only https is accepted', () => {
  for (const url of [
    'http://example.com/',
    'HTTP://8.8.8.8/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'ws://example.com/',
  ])
    refused(url);
  for (const url of ['javascript:alert(1)', 'data:text/plain,x', 'gopher://example.com/', 'blob:https://example.com/x'])
    refused(url);
});

test('a URL that the parser would complete is refused', () => {
  for (const url of [
    'https:example.com',
    'https:/example.com/',
    'https:\\\\example.com/',
    'https:/\\example.com/',
    'https:///example.com',
  ])
    refused(url);
});

test('credentials are refused', () => {
  for (const url of ['https://user@example.com/', 'https://user:pass@example.com/', 'https://:pass@example.com/'])
    refused(url);
  refused('https://example.com@127.0.0.1/');
  refused('http://user@127.0.0.1/', loopback);
});

test('text that is not a URL is refused', () => {
  for (const url of [
    '',
    'example.com',
    '/hook',
    '//example.com/',
    'https://',
    'https://:443/',
    'https://exa mple.com/',
  ])
    refused(url);
  for (const url of [
    'https://example.com:65536/',
    'https://1.2.3.256/',
    'https://[::1/',
    'https://[fe80::1%25eth0]/',
    'https://a^b/',
  ])
    refused(url);
});

test('white space and control characters, which URL parsers silently drop, are refused', () => {
  for (const url of [
    ' https://example.com/',
    'https://example.com/\n',
    'https://exam\tple.com/',
    'https://example.com/a\r\nb',
    'https://example.com/\u0000',
  ]) {
    refused(url);
  }
});

test('a URL may have up to 2048 characters', () => {
  const base = 'https://example.com/';
  accepted(base + 'a'.repeat(2048 - base.length));
  refused(base + 'a'.repeat(2049 - base.length));
});

test('allow_http_loopback allows exactly 127.0.0.1, [::1] and localhost, over http and not over https', () => {
  for (const host of ['127.0.0.1', '[::1]', 'localhost', '127.1', 'LOCALHOST', '[0:0::1]']) {
    accepted(`http://${host}:1234/hook`, loopback);
    refused(`https://${host}:1234/hook`, loopback);
    for (const scheme of ['http', 'https']) refused(`${scheme}://${host}:1234/hook`, strict);
  }
  for (const host of [
    '127.0.0.2',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    'a.localhost',
    'localhost.',
    '10.0.0.1',
    '169.254.169.254',
  ]) {
    for (const scheme of ['http', 'https']) refused(`${scheme}://${host}/hook`, loopback);
  }
  refused('http://example.com/', loopback);
});

test('an allowed network is reached over https, never over http', () => {
  const policy = { allowNetworks: ['10.0.0.0/8', 'fd00::/8'], allowHttpLoopback: false };
  for (const host of ['10.1.2.3', '167772161', '[fd00::5]', '[::ffff:10.0.0.1]']) {
    accepted(`https://${host}/hook`, policy);
    refused(`http://${host}/hook`, policy);
  }
  refused('https://192.168.0.1/', policy);
  refused('https://localhost/', policy);
});

test('the localhost names are accepted once a loopback network is allowed', () => {
  for (const allowNetworks of [['127.0.0.0/8'], ['::1/128']]) {
    for (const host of ['localhost', 'localhost.', 'a.localhost']) {
      accepted(`https://${host}/`, { allowNetworks, allowHttpLoopback: false });
      refused(`http://${host}/`, { allowNetworks, allowHttpLoopback: false });
    }
  }
});

test('the policy for pages allows http to public hosts and nothing else', () => {
  const pages = pagePolicy({
    outbound: { allow_networks: ['10.0.0.0/8'], ca_file: null },
    webhooks: {
      ...loadConfig({ argvSettings: [], env: {}, readFile: () => '' }).config.webhooks,
      allow_http_loopback: true,
    },
  });
  for (const url of ['http://example.com/', 'https://example.com/', 'http://8.8.8.8/', 'http://10.0.0.1/']) {
    accepted(url, pages);
  }
  for (const url of ['http://127.0.0.1/', 'http://localhost/', 'http://192.168.0.1/', 'ftp://example.com/']) {
    refused(url, pages);
  }
  refused('http://user@example.com/', pages);
});

test('only a connection for a loopback test host may go to loopback', () => {
  const guard = createGuard(loopback);
  assert.equal(guard.permits('localhost', '127.0.0.1'), true);
  assert.equal(guard.permits('localhost', '::1'), true);
  assert.equal(guard.permits('localhost', '10.0.0.1'), false);
  assert.equal(guard.permits('example.com', '127.0.0.1'), false);
  assert.equal(guard.permits('example.com', '8.8.8.8'), true);
  assert.equal(createGuard(strict).permits('localhost', '127.0.0.1'), false);
});

test('a policy whose list holds something else than a network is refused', () => {
  assert.throws(() => createGuard({ allowNetworks: ['intranet'], allowHttpLoopback: false }), RangeError);
});
