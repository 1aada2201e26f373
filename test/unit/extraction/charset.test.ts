import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../../src/extraction/plain/charset.ts';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const hex = (digits: string): Uint8Array => Buffer.from(digits, 'hex');

/** "こんにちは世界。" */
const shiftJis = hex('82b182f182c982bf82cd90a28a458142');
/** "Привет, мир!" */
const windows1251 = hex('cff0e8e2e5f22c20ece8f021');

test('a byte order mark decides the encoding and is removed from the text', () => {
  assert.equal(decodeText(hex('efbbbf4869')), 'Hi');
  assert.equal(decodeText(hex('fffe48006900'), { contentType: 'text/plain; charset=iso-8859-1' }), 'Hi');
  assert.equal(decodeText(hex('feff00480069')), 'Hi');
  assert.equal(decodeText(Buffer.from('Hello you', 'utf16le')), 'Hello you');
});

test('bytes that are valid UTF-8 beyond ASCII are decoded as UTF-8, whatever charset is declared', () => {
  const text = '<meta charset="iso-8859-1">Grüße';
  const bytes = Buffer.from(text);
  assert.equal(decodeText(bytes, { contentType: 'text/html; charset=ISO-8859-1', inDocument: true }), text);
});

test('the header wins over the page, and a declared charset is used only if the bytes decode in it', () => {
  const page = Buffer.concat([latin1('<meta charset="windows-1251">'), windows1251]);
  assert.match(decodeText(page, { inDocument: true }), /Привет, мир!$/);
  assert.match(decodeText(page, { inDocument: true, contentType: 'text/html; charset="koi8-r"' }), /оПХБЕР, ЛХП!$/);
  assert.match(decodeText(page, { inDocument: true, contentType: 'text/html; charset=utf-8' }), /Привет, мир!$/);
  assert.match(decodeText(page, { inDocument: true, contentType: 'text/html; charset=klingon' }), /Привет, мир!$/);
  const old = latin1('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>Grüße');
  assert.match(decodeText(old, { inDocument: true }), /Grüße$/);
});

test('a declared seven-bit encoding is used for bytes that are plain ASCII', () => {
  assert.equal(decodeText(hex('1b2442242224241b2842'), { contentType: 'text/plain; charset=iso-2022-jp' }), 'あい');
});

test('without a declaration, character statistics find the encoding', () => {
  const repeated = (bytes: Uint8Array): Uint8Array => Buffer.concat(Array.from({ length: 8 }, () => bytes));
  assert.match(decodeText(repeated(shiftJis)), /^こんにちは世界。/);
  assert.match(decodeText(repeated(windows1251)), /^Привет, мир!/);
  assert.match(decodeText(latin1('Die Grüße für die schöne Straße, und über alles. '.repeat(4))), /^Die Grüße für/);
});

test('an invalid byte is replaced without losing the text after it', () => {
  const text = decodeText(Buffer.concat([Buffer.from('Größe '), hex('ff'), Buffer.from(' ok')]), {
    contentType: 'text/plain; charset=utf-8',
  });
  assert.match(text, / ok$/);
});
