/** The fields of a contact that a cell of a table can set. */
export const textFields = ['first_name', 'last_name', 'email', 'phone', 'company', 'timezone', 'do_not_call'] as const;
export type TextField = (typeof textFields)[number];
/** The fields that a column can be recognized as. Tags belong to campaign contacts. */
export type Recognized = TextField | 'tags';

/**
 * Common names of columns, in the words of spreadsheets, address books and CRMs in several languages. Earlier names are preferred where a
 * table has several columns of one kind, such as a telephone and a mobile number.
 */
const columnNames: Readonly<Record<Recognized, string>> = {
  phone: `phone, phone number, phone no, phone nr, phone num, telephone, telephone number, telephone no, tel, tel no, tel nr, e164, msisdn,
    primary phone, main phone, contact number, contact phone, phone 1, phone 1 value, telefon, telefonnummer, telefon nr, rufnummer,
    telefon mobil,
    mobile, mobile phone, mobile number, mobile no, mobile phone number, mobile tel, cell, cell phone, cell number, cell phone number,
    cellular, mobil, mobiltelefon, mobilnummer, mobil nr, mobilfunk, mobilfunknummer, handy, handynummer, handy nr, business phone,
    work phone, company phone, home phone, phone work, phone home, phone mobile, telefon geschäftlich, telefon privat, téléphone, numéro de téléphone, no de téléphone,
    téléphone portable, téléphone mobile, portable, teléfono, número de teléfono, nº de teléfono, teléfono móvil, móvil, celular,
    número de celular, telefono, numero di telefono, cellulare, telefone, número de telefone, telemóvel, telefone celular, telefoon,
    telefoonnummer, telefoon nr, mobiel, mobiel nummer, gsm, gsm nummer, numer telefonu, nr telefonu, telefon komórkowy, komórka,
    puhelin, puhelinnumero, matkapuhelin, telefonní číslo, tel číslo, telefonszám, mobilszám, telefon numarası, cep telefonu, cep,
    număr de telefon, телефон, номер телефона, мобильный, мобильный телефон, номер телефону, τηλέφωνο, κινητό, 電話, 電話番号,
    携帯, 携帯電話, 携帯番号, 携帯電話番号, 电话, 电话号码, 手机, 手机号, 手机号码, 電話號碼, 手機, 手機號碼, 전화, 전화번호, 휴대폰,
    휴대폰번호, 휴대전화, 핸드폰, هاتف, رقم الهاتف, جوال, מספר טלפון, טלפון, फोन, फोन नंबर`,
  first_name: `first name, firstname, given name, forename, first, fname, vorname, prénom, nombre, nome, nome proprio, voornaam, imię,
    förnamn, fornavn, etunimi, jméno, křestní jméno, keresztnév, utónév, adı, prenume, имя, ім'я, όνομα, 名, 名字, 이름, الاسم الأول`,
  last_name: `last name, lastname, surname, family name, last, lname, nachname, familienname, zuname, nom de famille, nom, apellido,
    apellidos, cognome, sobrenome, apelido, achternaam, nazwisko, efternamn, efternavn, etternavn, sukunimi, příjmení, vezetéknév,
    soyadı, soyad, nume de familie, фамилия, прізвище, επώνυμο, 姓, 성, اسم العائلة`,
  email: `email, e-mail, email address, e-mail address, mail, mail address, primary email, email 1, e-mail 1 value, email 1 value,
    e-mail-adresse, email adresse, mailadresse, courriel, adresse e-mail, adresse mail, adresse électronique, correo,
    correo electrónico, indirizzo email, indirizzo e-mail, posta elettronica, endereço de e-mail, correio eletrónico, e-mailadres,
    adres e-mail, e-post, e-postadress, e-postadresse, sähköposti, e-posta, emailová adresa, электронная почта, почта, メール,
    メールアドレス, 邮箱, 电子邮件, 電子郵件, 이메일, البريد الإلكتروني`,
  company: `company, company name, organization, organisation, organization name, organization 1 name, employer, business,
    business name, firma, firmenname, unternehmen, betrieb, entreprise, société, nom de l'entreprise, raison sociale, empresa,
    compañía, azienda, società, ditta, bedrijf, bedrijfsnaam, organisatie, företag, foretak, virksomhed, yritys, společnost, cég,
    cégnév, şirket, компания, организация, компанія, εταιρεία, 会社, 会社名, 公司, 公司名称, 회사, 회사명, شركة`,
  timezone: `timezone, time zone, tz, zeitzone, fuseau horaire, zona horaria, huso horario, fuso orario, fuso horário, tijdzone,
    strefa czasowa, tidszon, tidssone, tidszone, aikavyöhyke, časové pásmo, időzóna, saat dilimi, часовой пояс, часовий пояс,
    タイムゾーン, 时区, 시간대`,
  do_not_call: `do not call, dnc, do not phone, opt out, opted out, nicht anrufen, rufsperre, ne pas appeler, no llamar,
    non chiamare, não ligar, niet bellen, nie dzwonić, ring inte, не звонить`,
  tags: `tags, tag, labels, label, schlagwörter, schlagworte, stichwörter, étiquettes, etiquetas, etichette, etiketten, etykiety,
    taggar, теги, タグ, 标签, 태그`,
};

/** Keeps only letters and digits, without accents and in lower case: `E-Mail`, `e mail` and `EMAIL` are one name. */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** `rank` is the name's index in its list. */
type Recognition = { as: Recognized; rank: number };

const recognitions: ReadonlyMap<string, Recognition> = new Map(
  (Object.entries(columnNames) as Array<[Recognized, string]>).flatMap(([as, names]) => {
    const known = [as, ...names.split(',')].map((name, rank) => [normalizeName(name), { as, rank }] as const);
    return known.toReversed(); // so that of two names that differ only in accents, the first in the list decides the rank
  }),
);

/** The field that a column's name means; undefined if the name is not recognized. */
export const recognize = (name: string): Recognition | undefined => recognitions.get(normalizeName(name));

/** Beside a column for the first name, "Name" is the last name; without one, its meaning is unknown. */
const bareNames: ReadonlySet<string> = new Set(['name', 'naam', 'navn', 'namn']);
export const isBareName = (name: string): boolean => bareNames.has(normalizeName(name));
