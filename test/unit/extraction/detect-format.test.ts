import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectFormat } from '../../../src/extraction/detect-format.ts';
import { docxOf, pptxOf, wordParagraph, xlsxOf } from '../../support/documents/office.ts';
import { linesAt, pdfOf } from '../../support/documents/pdf.ts';
import { zipOf } from '../../support/documents/zip.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding);
const pdf = pdfOf([linesAt(700, ['Hello'])]);
const docx = docxOf(wordParagraph('Hello'.repeat(100)));
const xlsx = xlsxOf([{ name: 'A', rows: [['x']] }]);
const pptx = pptxOf([{ title: 'A' }]);

test('the format is detected from the content, whatever the file name', () => {
  for (const name of ['a.txt', 'a.csv', 'a.docx', 'a.exe', undefined]) {
    assert.equal(detectFormat(pdf, name), 'pdf');
    assert.equal(detectFormat(docx, name), 'docx');
    assert.equal(detectFormat(xlsx, name), 'xlsx');
    assert.equal(detectFormat(pptx, name), 'pptx');
    assert.equal(detectFormat(bytes('<!DOCTYPE html><title>A</title>'), name), 'html');
    assert.equal(detectFormat(bytes('\uFEFF\n<!-- made by hand -->\n<HTML lang=en>'), name), 'html');
    assert.equal(detectFormat(bytes('<?xml version="1.0"?><html xmlns="x"/>'), name), 'html');
  }
});

test('a PDF header may follow other bytes, but a text that mentions it is a text', () => {
  assert.equal(detectFormat(Buffer.concat([Buffer.from([0, 1, 2, 3]), pdf])), 'pdf');
  assert.equal(detectFormat(bytes('The file begins with %PDF-1.7 and goes on.')), 'txt');
});

test('a truncated office file keeps its format, so that its owner learns what is wrong with it', () => {
  assert.equal(detectFormat(docx.subarray(0, docx.length - 200)), 'docx');
  assert.equal(detectFormat(xlsx.subarray(0, xlsx.length - 200)), 'xlsx');
  assert.equal(detectFormat(pptx.subarray(0, pptx.length - 200)), 'pptx');
});

test('other files have no supported format', () => {
  const others: Record<string, Uint8Array> = {
    'a ZIP of texts': zipOf([{ name: 'readme.txt', bytes: 'Hello' }]),
    'an empty ZIP': zipOf([]),
    'a PNG': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'a JPEG without a zero byte': Buffer.from('ffd8ffe110454578696601020304050607080e0f101112131415', 'hex'),
    'an old Word file': Buffer.from('d0cf11e0a1b11ae1000000000000000000000000', 'hex'),
    'an ELF binary': Buffer.from('7f454c46020101000000000000000000', 'hex'),
  };
  for (const [description, file] of Object.entries(others)) {
    for (const name of ['a.txt', 'a.md', 'a.docx', undefined])
      assert.equal(detectFormat(file, name), undefined, description);
  }
});

test('text formats are recognized by their content', () => {
  assert.equal(detectFormat(bytes('name,price\nshoe,10\nboot,12\n')), 'csv');
  assert.equal(detectFormat(bytes('name;"a; b"\nshoe;"c"\nboot;"d;e;f"\n')), 'csv');
  assert.equal(detectFormat(bytes('# Guide\n\n- one\n- two\n')), 'md');
  assert.equal(detectFormat(bytes('See [our site](https://example.com).\n\n**Now.**\n')), 'md');
  assert.equal(detectFormat(bytes('<p>A fragment</p>')), 'html');
  assert.equal(detectFormat(bytes('Dear Ada,\n\nyes, we do, and gladly.\n\nYours, Jo\n')), 'txt');
  assert.equal(detectFormat(bytes('')), 'txt');
});

test('the file name, or else the media type, chooses among text formats', () => {
  const table = bytes('# a,b\n1,2\n3,4\n');
  assert.equal(detectFormat(table, 'prices.csv'), 'csv');
  assert.equal(detectFormat(table, 'PRICES.MD'), 'md');
  assert.equal(detectFormat(table, 'prices.txt'), 'txt');
  assert.equal(detectFormat(table, undefined, 'text/markdown; charset=utf-8'), 'md');
  assert.equal(detectFormat(table, 'prices.csv', 'text/plain'), 'csv');
  assert.equal(detectFormat(bytes('<p align="center">Logo</p>\n\n# Project\n'), 'README.md'), 'md');
  assert.equal(detectFormat(bytes('Hello <b>world</b>'), undefined, 'text/html'), 'html');
});

test('texts in other encodings are recognized as text', () => {
  assert.equal(detectFormat(bytes('Grüße aus Köln, für alle. '.repeat(20), 'latin1')), 'txt');
  assert.equal(detectFormat(Buffer.concat([Buffer.from([0xff, 0xfe]), bytes('Hello', 'utf16le')])), 'txt');
  assert.equal(detectFormat(bytes('Hello without a mark', 'utf16le')), 'txt');
  assert.equal(detectFormat(bytes('<html><p>Hello</p></html>', 'utf16le')), 'html');
  // Shift_JIS and KOI8-R: hardly any byte is ASCII.
  assert.equal(detectFormat(Buffer.from('82b182f182c982bf82cd90a28a458142'.repeat(10), 'hex')), 'txt');
  assert.equal(detectFormat(Buffer.from('f0d2c9d7c5d42c20cdc9d221'.repeat(10), 'hex')), 'txt');
});
