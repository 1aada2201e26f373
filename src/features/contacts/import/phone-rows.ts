/** Remembers in which row each phone number of a table came first. */
export type PhoneRows = {
  /** The earlier row with this phone; undefined if there is none, and this row becomes the first: also when it is asked again. */
  firstRow(phone: string, row: number): number | undefined;
};

const tables = 64;
const initialSlots = 16;

/**
 * A hash table of numbers, because a million phones take 24 MB in it, and several times as much in a Map of strings. It consists of small
 * tables that grow one by one: doubling a single table of a million phones would stop the server for some 50 ms.
 */
export function createPhoneRows(): PhoneRows {
  const parts = Array.from({ length: tables }, createTable);
  return {
    firstRow(text, row) {
      const phone = Number(text.slice(1));
      return parts[hashOf(phone) % tables]!.firstRow(phone, row);
    },
  };
}

const hashOf = (phone: number): number => Math.imul((phone % 4_294_967_291) | 0, 0x9e37_79b1) >>> 0;

/** A slot is free if it holds 0, which is no phone. */
function createTable() {
  let phones = new Float64Array(initialSlots);
  let rows = new Uint32Array(initialSlots);
  let count = 0;

  /** The slot of a phone or, if it is not stored yet, the free slot for it. */
  function slotOf(phone: number): number {
    let slot = Math.floor(hashOf(phone) / tables) % phones.length;
    while (phones[slot] !== 0 && phones[slot] !== phone) slot = (slot + 1) % phones.length;
    return slot;
  }

  function grow(): void {
    const [oldPhones, oldRows] = [phones, rows];
    phones = new Float64Array(oldPhones.length * 2);
    rows = new Uint32Array(oldPhones.length * 2);
    for (const [index, phone] of oldPhones.entries()) {
      if (phone === 0) continue;
      const slot = slotOf(phone);
      phones[slot] = phone;
      rows[slot] = oldRows[index]!;
    }
  }

  return {
    firstRow(phone: number, row: number): number | undefined {
      const slot = slotOf(phone);
      if (phones[slot] === phone) return rows[slot] === row ? undefined : rows[slot];
      phones[slot] = phone;
      rows[slot] = row;
      count += 1;
      if (count * 2 > phones.length) grow();
      return undefined;
    },
  };
}
