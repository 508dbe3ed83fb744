/** @module Lists the elements of HTML by the WHATWG parsing algorithm (parse5). */

import { type DefaultTreeAdapterTypes, parse } from "parse5";

export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All text below it. */
  readonly text: string;
}

type Node = DefaultTreeAdapterTypes.Node;

/** Every element in document order, including the content of templates. */
export function elementsOf(html: string): HtmlElement[] {
  return below(parse(html)).flatMap((node) =>
    "tagName" in node
      ? [{
        name: node.tagName,
        attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
        text: below(node).map((each) => "value" in each ? each.value : "").join(""),
      }]
      : []
  );
}

export function commentsOf(html: string): string[] {
  return below(parse(html)).flatMap((node) => "data" in node ? [node.data] : []);
}

function below(node: Node): Node[] {
  const children = "childNodes" in node ? node.childNodes : [];
  const hidden = "content" in node ? [node.content] : [];
  return [...children, ...hidden].flatMap((child) => [child, ...below(child)]);
}
