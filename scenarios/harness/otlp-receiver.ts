import { startHttpServer } from '#platform/testing/http-server'

interface OtlpValue {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
}

interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly OtlpAttribute[]
  readonly events: readonly { readonly name: string }[]
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number }
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** - `service`: The `service.name` of the process that sent it. */
export interface ReceivedSpan extends Omit<OtlpSpan, 'attributes' | 'events'> {
  readonly service: string
  readonly instance: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly events: readonly string[]
}

export interface OtlpReceiver {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Everything that arrived, as it was sent. */
  readonly texts: string[]
}

/** Takes traces as OTLP/HTTP with JSON, on loopback. It is closed after the test file. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const receiver = { spans: [] as ReceivedSpan[], texts: [] as string[] }
  const url = await startHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json') {
        response.writeHead(400).end()
        return
      }
      receiver.texts.push(text)
      receiver.spans.push(...spansOf(JSON.parse(text) as OtlpRequest))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  return Object.assign(receiver, { url })
}

function spansOf({ resourceSpans }: OtlpRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const described = membersOf(resource.attributes)
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        service: String(described['service.name']),
        instance: String(described['service.instance.id']),
        attributes: membersOf(span.attributes),
        events: span.events.map(({ name }) => name),
      }))
  })
}

function membersOf(attributes: readonly OtlpAttribute[]): Record<string, string | number | undefined> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  )
}
