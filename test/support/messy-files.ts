import { type CellValue, xlsxOf } from './documents/office.ts';

/** A file as some program exports it, and what an import makes of it. */
export type MessyFile = {
  title: string;
  bytes: Buffer;
  query?: Readonly<Record<string, string>>;
  contentType?: string;
  /** The fields that matter here of each contact, oldest first. */
  contacts: ReadonlyArray<Readonly<Record<string, unknown>>>;
  /** The rejected rows, by number, and a pattern for the reason. */
  rejected?: Readonly<Record<number, RegExp>>;
  /** The targets of those columns that matter here. */
  columns?: Readonly<Record<string, string | null>>;
};

export const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const utf8 = (text: string): Buffer => Buffer.from(text);
const utf16le = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
/** These files use only characters that windows-1252 shares with Latin-1. */
const windows1252 = (text: string): Buffer => Buffer.from(text, 'latin1');
const sheet = (...rows: CellValue[][]): Buffer => xlsxOf([{ name: 'Sheet1', rows }]);

const ada = { first_name: 'Ada', phone: '+4930901820' };
const umlaut = { first_name: 'Jürgen', phone: '+4930901820' };
const manyRows = (name: string): string =>
  `Vorname;Telefon\n${Array.from({ length: 9000 }, (_, row) => `${name}ö${row};+4930${2_000_000 + row}\n`).join('')}`;

/** The ways in which people and programs write one number, each in a row of its own. */
const ways = [
  '+49 30 901820',
  '+49 (0)30 / 90 18 20',
  '0049 30 901820',
  '030 901820',
  '030/901820',
  '(030) 90-18-20',
  "'030901820",
  "'+4930901820",
  '="030901820"',
  'tel:+49-30-901820',
  '4930901820',
  '4.930901820E+9',
  '4,930901820E+09',
  '4930901820.0',
  '\u202A+49 30 901820\u202C',
  ' +4930901820\u00A0',
];

const textFiles: readonly MessyFile[] = [
  { title: 'a header as people write it', bytes: utf8('First Name,Phone Number\nAda,+4930901820\n'), contacts: [ada] },
  { title: 'a byte order mark', bytes: utf8('\uFEFFfirst_name,phone\nAda,+4930901820\n'), contacts: [ada] },
  {
    title: 'a spreadsheet of a German Windows: windows-1252 and semicolons',
    bytes: windows1252(
      'Vorname;Nachname;Telefon;E-Mail-Adresse;Firma\r\nJürgen;Weiß;+4930901820;j@example.com;Öl & Söhne\r\n',
    ),
    contacts: [{ ...umlaut, last_name: 'Weiß', email: 'j@example.com', company: 'Öl & Söhne' }],
  },
  {
    title: 'windows-1252 by the content type',
    bytes: windows1252('first_name,phone\nJürgen,+4930901820\n'),
    contentType: 'text/csv; charset=windows-1252',
    contacts: [umlaut],
  },
  {
    title: 'another character set by the parameter',
    bytes: Buffer.concat([utf8('first_name,phone\n'), Buffer.from([0xc0, 0xed, 0xed, 0xe0]), utf8(',+4930901820\n')]),
    query: { charset: 'windows-1251' },
    contacts: [{ ...ada, first_name: 'Анна' }],
  },
  {
    title: 'UTF-16, little-endian',
    bytes: utf16le('first_name\tphone\r\nJürgen\t+4930901820\r\n'),
    contacts: [umlaut],
  },
  { title: 'UTF-16, big-endian', bytes: utf16be('first_name\tphone\r\nJürgen\t+4930901820\r\n'), contacts: [umlaut] },
  {
    title: 'UTF-16 by the parameter, without a mark',
    bytes: Buffer.from('first_name,phone\nJürgen,+4930901820\n', 'utf16le'),
    query: { charset: 'utf-16le' },
    contacts: [umlaut],
  },
  { title: 'a line sep=;', bytes: utf8('sep=;\r\nfirst_name;phone\r\nAda;+4930901820\r\n'), contacts: [ada] },
  {
    title: 'a line sep= with a rare separator',
    bytes: utf8('"sep=^"\nfirst_name^phone\nAda^+4930901820\n'),
    contacts: [ada],
  },
  { title: 'tabs', bytes: utf8('first_name\tphone\nAda\t+4930901820\n'), contacts: [ada] },
  { title: 'vertical bars', bytes: utf8('first_name|phone\nAda|+4930901820\n'), contacts: [ada] },
  { title: 'line ends of old Macintoshes', bytes: utf8('first_name,phone\rAda,+4930901820\r'), contacts: [ada] },
  { title: 'empty lines before the header', bytes: utf8('\n\nfirst_name,phone\nAda,+4930901820\n'), contacts: [ada] },
  {
    title: 'empty rows at the end, as many as a spreadsheet had formatted',
    bytes: utf8(`first_name;phone\nAda;+4930901820\n${';\n'.repeat(5000)}`),
    contacts: [ada],
  },
  {
    title: 'an empty row in the middle',
    bytes: utf8('first_name,phone\nAda,+4930901820\n,\nBob,+4930901821\n'),
    contacts: [ada, { first_name: 'Bob' }],
    rejected: { 2: /^The row is empty/ },
  },
  {
    title: 'columns without a name at the end',
    bytes: utf8('first_name,phone,,\nAda,+4930901820,,\n'),
    contacts: [ada],
  },
  {
    title: 'line ends and separators inside quotes',
    bytes: utf8('company,phone\n"Öl, Fett\r\n& ""Söhne""",+4930901820\n'),
    contacts: [{ company: 'Öl, Fett\r\n& "Söhne"', phone: '+4930901820' }],
  },
  {
    title: 'phone numbers in every way of writing',
    bytes: utf8(`phone\n${ways.map((way) => `"${way.replaceAll('"', '""')}"\n`).join('')}`),
    query: { default_country: 'DE', dedupe: 'none' },
    contacts: ways.map(() => ({ phone: '+4930901820' })),
  },
  {
    title: 'national numbers of another country, named in small letters',
    bytes: utf8('phone\n(212) 555-0100\n1-212-555-0101\n00442079460958\n'),
    query: { default_country: 'us' },
    contacts: [{ phone: '+12125550100' }, { phone: '+12125550101' }, { phone: '+442079460958' }],
  },
  {
    title: 'phone numbers that cannot be dialed',
    bytes: utf8('phone\n4.93091E+11\n030 901820\n+49 30 901820 ext. 5\nunknown\n+4930901820 / +4930901821\n#N/A\n12\n'),
    contacts: [],
    rejected: {
      1: /^phone was shortened by a spreadsheet to 4\.93091E\+11/,
      2: /^phone must be a telephone number in E\.164 form.*default_country/,
      3: /^phone has an extension/,
      4: /^phone must be a telephone number/,
      5: /^phone must be a telephone number/,
      6: /^phone must be a telephone number/,
      7: /^phone must be a telephone number/,
    },
  },
  {
    title: 'several phone columns, of which the most usual is the phone',
    bytes: utf8('Mobile,Phone,First Name\n+4930901829,+4930901820,Ada\n'),
    contacts: [{ ...ada, metadata: { Mobile: '+4930901829' } }],
    columns: { Phone: 'phone', Mobile: 'metadata.Mobile' },
  },
  {
    title: 'French names of columns',
    bytes: utf8('Prénom;Nom;Téléphone portable;Courriel;Société\nZoé;Durand;+33612345678;z@example.fr;Durand SA\n'),
    contacts: [
      { first_name: 'Zoé', last_name: 'Durand', phone: '+33612345678', email: 'z@example.fr', company: 'Durand SA' },
    ],
  },
  {
    title: 'Spanish names of columns',
    bytes: utf8(
      'Nombre,Apellidos,Teléfono móvil,Correo electrónico,Empresa\nInés,Ríos,+34612345678,i@example.es,Ríos SL\n',
    ),
    contacts: [
      { first_name: 'Inés', last_name: 'Ríos', phone: '+34612345678', email: 'i@example.es', company: 'Ríos SL' },
    ],
  },
  {
    title: 'Japanese names of columns',
    bytes: utf8('名,姓,携帯電話,メールアドレス,会社名\n花子,山田,+819012345678,h@example.jp,山田商店\n'),
    contacts: [{ first_name: '花子', last_name: '山田', phone: '+819012345678', company: '山田商店' }],
  },
  {
    title: 'Russian names of columns',
    bytes: utf8('Имя;Фамилия;Номер телефона\nАнна;Иванова;+79123456789\n'),
    contacts: [{ first_name: 'Анна', last_name: 'Иванова', phone: '+79123456789' }],
  },
  {
    title: 'a column "Name" beside the first name',
    bytes: utf8('Vorname;Name;Handynummer\nAda;Lovelace;+4930901820\n'),
    contacts: [{ ...ada, last_name: 'Lovelace' }],
    columns: { Name: 'last_name' },
  },
  {
    title: 'columns that are not understood',
    bytes: utf8('phone,Shoe size,ID\n+4930901820,38,007\n'),
    contacts: [{ phone: '+4930901820', metadata: { 'Shoe size': '38', ID: '007' } }],
    columns: { phone: 'phone', 'Shoe size': 'metadata.Shoe size', ID: 'metadata.ID' },
  },
  {
    title: 'a mapping',
    bytes: utf8('A,B,C,D\nAda,+4930901820,38,secret\n'),
    query: { mapping: '{"A":"first_name","B":"phone","C":"metadata.size","D":null}' },
    contacts: [{ ...ada, metadata: { size: '38' } }],
    columns: { A: 'first_name', B: 'phone', C: 'metadata.size', D: null },
  },
  {
    title: 'a mapping against the names of the columns',
    bytes: utf8('Phone,Mobile,First Name\n030 1,+4930901820,Ada\n'),
    query: { mapping: '{"Mobile":"phone"}' },
    contacts: [{ ...ada, metadata: { Phone: '030 1' } }],
  },
  {
    title: 'yes and no in other languages',
    bytes: utf8('phone,Opt-out\n+4930901820,ja\n+4930901821,nein\n+4930901822,X\n+4930901823,perhaps\n'),
    contacts: [{ do_not_call: true }, { do_not_call: false }, { do_not_call: true }],
    rejected: { 4: /^do_not_call must be true or false/ },
  },
  {
    title: 'formulas that keep leading zeros',
    bytes: utf8('phone,Customer\n="+4930901820","=""0042"""\n'),
    contacts: [{ phone: '+4930901820', metadata: { Customer: '0042' } }],
  },
  {
    title: 'windows-1252 longer than a chunk of the file',
    bytes: windows1252(manyRows('J')),
    contacts: [{ first_name: 'Jö0' }, { first_name: 'Jö1' }],
  },
  {
    title: 'UTF-16 longer than a chunk of the file',
    bytes: utf16le(manyRows('🦜')),
    contacts: [{ first_name: '🦜ö0' }, { first_name: '🦜ö1' }],
  },
];

const sheets: readonly MessyFile[] = [
  {
    title: 'a sheet with texts and numbers',
    bytes: sheet(['First Name', 'Phone', 'Customer No'], ['Ada', '+4930901820', 42], ['Bob', 4_930_901_821, null]),
    query: { default_country: 'DE' },
    contacts: [
      { ...ada, metadata: { 'Customer No': '42' } },
      { first_name: 'Bob', phone: '+4930901821' },
    ],
  },
  {
    title: 'a sheet with phone numbers in scientific notation',
    bytes: xlsxOf([{ name: 'S', rows: [['phone'], [0]] }], undefined, {
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>phone</t></is></c></row><row r="2"><c r="A2"><v>4.9309018201E10</v></c></row></sheetData></worksheet>',
    }),
    query: { default_country: 'DE' },
    contacts: [{ phone: '+49309018201' }],
  },
  {
    title: 'a sheet with dates, percentages, yes and no',
    bytes: sheet(
      ['phone', 'Since', 'Share', 'do_not_call'],
      ['+4930901820', { number: 46_083, format: 2 }, { number: 0.25, format: 1 }, true],
    ),
    contacts: [{ phone: '+4930901820', do_not_call: true, metadata: { Since: '2026-03-02', Share: '25%' } }],
  },
  {
    title: 'a sheet with a hidden one before it, empty rows and empty columns',
    bytes: xlsxOf([
      { name: 'Old', hidden: true, rows: [['phone'], ['+4930901899']] },
      {
        name: 'New',
        rows: [[], [], ['first_name', null, 'phone'], [], ['Ada', null, '+4930901820'], [], [null, null, ' ']],
      },
      { name: 'Other', rows: [['phone'], ['+4930901898']] },
    ]),
    contacts: [ada],
  },
  {
    title: 'a sheet with inline texts and line ends',
    bytes: sheet([{ inline: 'company' }, { inline: 'phone' }], [{ inline: 'Öl\n& Söhne' }, { inline: '+4930901820' }]),
    contacts: [{ company: 'Öl\n& Söhne', phone: '+4930901820' }],
  },
  {
    title: 'a sheet whose rows are longer than its header',
    bytes: sheet(['first_name', 'phone'], ['Ada', '+4930901820', null, 'lost'], ['Bob', '+4930901821']),
    contacts: [{ first_name: 'Bob' }],
    rejected: { 1: /^The row has 4 cells, the header has 2/ },
  },
];

export const messyFiles: readonly MessyFile[] = [
  ...textFiles,
  ...sheets.map((file) => ({ contentType: sheetType, ...file })),
];
