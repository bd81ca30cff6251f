/** The least of a document that elements can be put into, and read back from. */

export class Sheet {
  readonly childNodes: Sheet[] = [];
  readonly attributes: Record<string, string> = {};
  parentNode: Sheet | null = null;
  nodeType = 1;
  namespaceURI = "http://www.w3.org/1999/xhtml";
  ownerDocument = PAPER;

  constructor(
    readonly localName: string,
    public data = "",
  ) {
    if (localName === "#text") this.nodeType = 3;
  }

  get firstChild(): Sheet | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): Sheet | null {
    const beside = this.parentNode?.childNodes ?? [];
    return beside[beside.indexOf(this) + 1] ?? null;
  }

  get text(): string {
    return this.data + this.childNodes.map((child) => child.text).join("");
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes[name] = String(value);
  }

  removeAttribute(name: string): void {
    delete this.attributes[name];
  }

  addEventListener(): void {}
  removeEventListener(): void {}

  contains(other: Sheet): boolean {
    return other === this || this.childNodes.some((child) => child.contains(other));
  }

  insertBefore(child: Sheet, before: Sheet | null): Sheet {
    child.parentNode?.removeChild(child);
    const at = before === null ? -1 : this.childNodes.indexOf(before);
    this.childNodes.splice(at === -1 ? this.childNodes.length : at, 0, child);
    child.parentNode = this;
    return child;
  }

  appendChild(child: Sheet): Sheet {
    return this.insertBefore(child, null);
  }

  removeChild(child: Sheet): Sheet {
    const at = this.childNodes.indexOf(child);
    if (at !== -1) this.childNodes.splice(at, 1);
    child.parentNode = null;
    return child;
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  *every(): Generator<Sheet> {
    for (const child of this.childNodes) {
      if (child.nodeType === 1) yield child;
      yield* child.every();
    }
  }
}

const PAPER = {
  createElement: (name: string) => new Sheet(name),
  createElementNS: (_: string, name: string) => new Sheet(name),
  createTextNode: (text: string) => new Sheet("#text", text),
};

/** Makes it the document of this test. */
export function lay(): void {
  Object.assign(globalThis, { document: PAPER });
}
