export class StreamedFile {
  readonly name: string
  readonly content: AsyncIterable<string>

  constructor(name: string, content: AsyncIterable<string>) {
    this.name = name
    this.content = content
  }
}
