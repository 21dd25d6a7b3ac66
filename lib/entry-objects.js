"use strict";

/**
 * The entries of a session as objects. Each is made when it is first asked for and is then kept,
 * so that callers see their own changes and always get the same object.
 */
class EntryObjects {
  constructor(core) {
    this.core = core;
    /** By number; `undefined` as long as nobody asked. */
    this.list = new Array(core.length()).fill(undefined);
    this.made = 0;
  }

  get(number) {
    return this.list[number] ?? this.keep(number, JSON.parse(this.core.text(number)));
  }

  keep(number, object) {
    if (this.list[number] === undefined) this.made++;
    this.list[number] = object;
    return object;
  }

  /** Makes those of `numbers` that are not made yet. */
  ensure(numbers) {
    if (this.made === this.list.length) return;
    let missing = numbers.filter((number) => this.list[number] === undefined);
    while (missing.length > 0) {
      const { array, count } = this.core.texts(missing);
      const objects = JSON.parse(array);
      for (let i = 0; i < count; i++) this.keep(missing[i], objects[i]);
      missing = missing.subarray(count);
    }
  }

  pick(numbers) {
    this.ensure(numbers);
    const picked = new Array(numbers.length);
    for (let i = 0; i < numbers.length; i++) picked[i] = this.list[numbers[i]];
    return picked;
  }

  /** All of them, in an array of the caller's own. */
  all() {
    if (this.made < this.list.length) this.ensure(Uint32Array.from(this.list.keys()));
    return this.list.slice();
  }

  /** Leaves room for entries that the core has taken in from the file. */
  makeRoom() {
    for (let count = this.core.length(); this.list.length < count; ) this.list.push(undefined);
  }

  append(object) {
    this.list.push(object);
    this.made++;
  }

  /** Renumbers: `moved[n]` is the number that entry n now has. */
  move(moved) {
    const old = this.list;
    this.list = new Array(this.core.length()).fill(undefined);
    this.made = 0;
    old.forEach((object, number) => object !== undefined && this.keep(moved[number], object));
  }

  /** The lines of the entries that are held as objects; the core has those of the others. */
  lines() {
    return this.list.map((object) => (object === undefined ? null : JSON.stringify(object)));
  }
}

module.exports = { EntryObjects };
