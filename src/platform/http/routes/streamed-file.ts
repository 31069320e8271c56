/** The data of a route that answers with a file instead of an envelope. The content is sent while it is read. */
export class StreamedFile {
  readonly name: string
  readonly content: AsyncIterable<string>

  constructor(name: string, content: AsyncIterable<string>) {
    this.name = name
    this.content = content
  }
}
