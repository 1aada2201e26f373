import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOf } from '../../../src/extraction/detect-format.ts';
import { docxOf, pptxOf, wordParagraph, xlsxOf } from '../../support/documents/office.ts';
import { linesAt, pdfOf } from '../../support/documents/pdf.ts';
import { zipOf } from '../../support/documents/zip.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding);
const pdf = pdfOf([linesAt(700, ['Hello'])]);
const docx = docxOf(wordParagraph('Hello'.repeat(100)));
const xlsx = xlsxOf([{ name: 'A', rows: [['x']] }]);
const pptx = pptxOf([{ title: 'A' }]);

test('files are told by what is in them, whatever they are called', () => {
  for (const name of ['a.txt', 'a.csv', 'a.docx', 'a.exe', undefined]) {
    assert.equal(formatOf(pdf, name), 'pdf');
    assert.equal(formatOf(docx, name), 'docx');
    assert.equal(formatOf(xlsx, name), 'xlsx');
    assert.equal(formatOf(pptx, name), 'pptx');
    assert.equal(formatOf(bytes('<!DOCTYPE html><title>A</title>'), name), 'html');
    assert.equal(formatOf(bytes('\uFEFF\n<!-- made by hand -->\n<HTML lang=en>'), name), 'html');
    assert.equal(formatOf(bytes('<?xml version="1.0"?><html xmlns="x"/>'), name), 'html');
  }
});

test('a PDF may have something before its header, but a text that speaks of PDF is a text', () => {
  assert.equal(formatOf(Buffer.concat([Buffer.from([0, 1, 2, 3]), pdf])), 'pdf');
  assert.equal(formatOf(bytes('The file begins with %PDF-1.7 and goes on.')), 'txt');
});

test('an office file that was cut off is still one, so that its owner learns what is wrong with it', () => {
  assert.equal(formatOf(docx.subarray(0, docx.length - 200)), 'docx');
  assert.equal(formatOf(xlsx.subarray(0, xlsx.length - 200)), 'xlsx');
  assert.equal(formatOf(pptx.subarray(0, pptx.length - 200)), 'pptx');
});

test('other files are none of ours', () => {
  const others: Record<string, Uint8Array> = {
    'a ZIP of texts': zipOf([{ name: 'readme.txt', bytes: 'Hello' }]),
    'an empty ZIP': zipOf([]),
    'a PNG': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'a JPEG without a zero byte': Buffer.from('ffd8ffe110454578696601020304050607080e0f101112131415', 'hex'),
    'an old Word file': Buffer.from('d0cf11e0a1b11ae1000000000000000000000000', 'hex'),
    'an ELF binary': Buffer.from('7f454c46020101000000000000000000', 'hex'),
  };
  for (const [what, file] of Object.entries(others)) {
    for (const name of ['a.txt', 'a.md', 'a.docx', undefined]) assert.equal(formatOf(file, name), undefined, what);
  }
});

test('texts are told by their looks', () => {
  assert.equal(formatOf(bytes('name,price\nshoe,10\nboot,12\n')), 'csv');
  assert.equal(formatOf(bytes('name;"a; b"\nshoe;"c"\nboot;"d;e;f"\n')), 'csv');
  assert.equal(formatOf(bytes('# Guide\n\n- one\n- two\n')), 'md');
  assert.equal(formatOf(bytes('See [our site](https://example.com).\n\n**Now.**\n')), 'md');
  assert.equal(formatOf(bytes('<p>A fragment</p>')), 'html');
  assert.equal(formatOf(bytes('Dear Ada,\n\nyes, we do, and gladly.\n\nYours, Jo\n')), 'txt');
  assert.equal(formatOf(bytes('')), 'txt');
});

test('the name, or else the media type, decides between formats that are text', () => {
  const table = bytes('# a,b\n1,2\n3,4\n');
  assert.equal(formatOf(table, 'prices.csv'), 'csv');
  assert.equal(formatOf(table, 'PRICES.MD'), 'md');
  assert.equal(formatOf(table, 'prices.txt'), 'txt');
  assert.equal(formatOf(table, undefined, 'text/markdown; charset=utf-8'), 'md');
  assert.equal(formatOf(table, 'prices.csv', 'text/plain'), 'csv');
  assert.equal(formatOf(bytes('<p align="center">Logo</p>\n\n# Project\n'), 'README.md'), 'md');
  assert.equal(formatOf(bytes('Hello <b>world</b>'), undefined, 'text/html'), 'html');
});

test('texts of other encodings are texts', () => {
  assert.equal(formatOf(bytes('Grüße aus Köln, für alle. '.repeat(20), 'latin1')), 'txt');
  assert.equal(formatOf(Buffer.concat([Buffer.from([0xff, 0xfe]), bytes('Hello', 'utf16le')])), 'txt');
  assert.equal(formatOf(bytes('Hello without a mark', 'utf16le')), 'txt');
  assert.equal(formatOf(bytes('<html><p>Hello</p></html>', 'utf16le')), 'html');
  // Shift_JIS and KOI8-R: hardly a byte of them is ASCII.
  assert.equal(formatOf(Buffer.from('82b182f182c982bf82cd90a28a458142'.repeat(10), 'hex')), 'txt');
  assert.equal(formatOf(Buffer.from('f0d2c9d7c5d42c20cdc9d221'.repeat(10), 'hex')), 'txt');
});
