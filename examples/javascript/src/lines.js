/**
 * The lines of a stream in UTF-8, each as soon as it is whole.
 *
 * Node's own readline would also break a line at U+2028, which JSON allows inside of a text.
 */
export async function* linesOf(stream) {
  stream.setEncoding("utf8");
  let unfinished = "";
  for await (const chunk of stream) {
    const lines = (unfinished + chunk).split("\n");
    unfinished = lines.pop();
    yield* lines;
  }
  if (unfinished !== "") {
    yield unfinished;
  }
}
