/**
 * @module HTML as a browser's parser sees it (WHATWG parsing algorithm, by parse5), flattened to a
 * list of elements.
 */

import { type DefaultTreeAdapterTypes, parse } from "parse5";

/** One element of a document. */
export interface HtmlElement {
  /** In lower case; of foreign elements as the parser adjusts it. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All text below it. */
  readonly text: string;
}

type Node = DefaultTreeAdapterTypes.Node;

/** Every element of a document or fragment, in document order, the content of templates included. */
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

/** Every comment of a document, as text. */
export function commentsOf(html: string): string[] {
  return below(parse(html)).flatMap((node) => "data" in node ? [node.data] : []);
}

function below(node: Node): Node[] {
  const children = "childNodes" in node ? node.childNodes : [];
  const hidden = "content" in node ? [node.content] : [];
  return [...children, ...hidden].flatMap((child) => [child, ...below(child)]);
}
