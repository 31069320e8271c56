type Content = string | Uint8Array

/** - `contentType`: Where it is not the one of the route. */
export class StreamedFile {
  readonly name: string
  readonly content: Iterable<Content> | AsyncIterable<Content>
  readonly contentType: string | undefined

  constructor(name: string, content: StreamedFile['content'], contentType?: string) {
    this.name = name
    this.content = content
    this.contentType = contentType
  }
}
