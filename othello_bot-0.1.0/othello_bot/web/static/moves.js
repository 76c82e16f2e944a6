// The list of moves: the main line in rows of two, variations between them.

import { el, put } from "./dom.js";
import { gradeOfSlip } from "./learn.js";
import { moveText, words } from "./words.js";

/** @typedef {import("./types").Node} Node */

export class MoveList {
  /** @param {HTMLElement} element @param {(node: Node) => void} choose */
  constructor(element, choose) {
    this.element = element;
    this.choose = choose;
    this.shown = "";
    /** The rows by their first moves, with what they show. @type {WeakMap<Node, { key: string, last: Node | undefined, row: HTMLElement }>} */
    this.kept = new WeakMap();
  }

  /** @param {Node} root @param {Node} current */
  render(root, current) {
    const key = fingerprint(root, current);
    if (key === this.shown) return;
    this.shown = key;
    const kept = this.element.contains(document.activeElement);
    put(this.element, ...this.rows(root, current));
    const here = /** @type {HTMLElement | null} */ (this.element.querySelector('[aria-current="true"]'));
    if (here) {
      if (kept) here.focus();
      const top = here.offsetTop - this.element.clientHeight / 2;
      this.element.scrollTop = Math.max(0, top);
    } else if (root.children.length) {
      this.element.scrollTop = 0;
    }
  }

  /** @param {Node} root @param {Node} current @returns {HTMLElement[]} */
  rows(root, current) {
    if (!root.children.length) return [el("p", { class: "none" }, words.moves.none)];
    const rows = [];
    /** @type {Node[]} */
    let nodes = [];
    const end = () => {
      if (nodes.length) rows.push(this.pair(nodes, current));
      nodes = [];
    };
    for (let node = root.children[0]; node; node = node.children[0]) {
      nodes.push(node);
      const others = node.parent ? node.parent.children.slice(1) : [];
      if (node.ply % 2 === 0 || others.length) end();
      for (const other of others) rows.push(el("div", { class: "variation" }, ...this.flow(other, current, true)));
    }
    end();
    return rows;
  }

  /** The row of one move or two: the element that shows them already, if nothing about them has changed, because a review judges one
   * move after the other. @param {Node[]} nodes @param {Node} current */
  pair(nodes, current) {
    const [first] = nodes;
    const key = nodes.map((node) => `${node.move},${node.judged?.loss},${node === current}`).join(" ");
    const kept = this.kept.get(first);
    if (kept?.key === key && kept.last === nodes.at(-1)) return kept.row;
    const number = el("span", { class: "no" }, `${Math.ceil(first.ply / 2)}`);
    const gap = first.ply % 2 === 0 ? el("span", { class: "gap" }, "…") : null;
    const row = el("div", { class: "pair" }, number, gap, ...nodes.map((node) => this.button(node, current)));
    this.kept.set(first, { key, last: nodes.at(-1), row });
    return row;
  }

  /** A variation as running text. @param {Node} first @param {Node} current @param {boolean} begins
   * @returns {HTMLElement[]} */
  flow(first, current, begins) {
    const parts = [];
    let number = begins;
    for (let node = first; node; node = node.children[0]) {
      const dots = node.ply % 2 === 0 ? "…" : ".";
      if (number || dots === ".") parts.push(el("span", { class: "no" }, `${Math.ceil(node.ply / 2)}${dots}`));
      number = false;
      parts.push(this.button(node, current));
      const others = node === first ? [] : (node.parent?.children.slice(1) ?? []);
      for (const other of others) {
        parts.push(el("span", { class: "inner" }, "(", ...this.flow(other, current, true), ")"));
        number = true;
      }
    }
    return parts;
  }

  /** @param {Node} node @param {Node} current */
  button(node, current) {
    const loss = node.judged ? node.judged.loss : 0;
    const grade = gradeOfSlip(node);
    const name = moveText(node.move);
    const side = node.parent?.position.turn ?? "X";
    return el(
      "button",
      {
        type: "button",
        class: `move ${side === "X" ? "black" : "white"}`,
        "aria-current": node === current ? "true" : null,
        "aria-label": words.moves.label(node.ply, side, name, loss),
        onclick: () => this.choose(node),
      },
      name,
      grade ? el("small", { class: grade }, `−${loss}`) : null,
    );
  }
}

/** @param {Node} root @param {Node} current */
function fingerprint(root, current) {
  const visit = (/** @type {Node} */ node) => {
    /** @type {string} */
    let text = `${node.move}${node.judged ? `,${node.judged.loss}` : ""}${node === current ? "*" : ""}`;
    for (const child of node.children) text += `(${visit(child)})`;
    return text;
  };
  return visit(root);
}
