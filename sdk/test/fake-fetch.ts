interface SentRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
}

interface FakeReply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly code?: number
  readonly message?: string
  /** The text of the response instead of an envelope. */
  readonly text?: string
  readonly data?: unknown
}

/** Returns the replies in turn, and then always the last one. An Error stands for a connection that fails. */
export function fakeFetch(...replies: (FakeReply | Error)[]) {
  const requests: SentRequest[] = []
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body } = init
    requests.push({
      method,
      url: new URL(input as string),
      headers: new Headers(headers),
      body: typeof body === 'string' ? body : undefined,
    })
    const reply = replies[Math.min(requests.length, replies.length) - 1]
    if (reply === undefined || reply instanceof Error) throw reply ?? new Error('no reply')
    const { status = 200, code = status, message = 'succeed', data = {}, text } = reply
    return new Response(text ?? JSON.stringify({ code, message, data }), {
      status,
      headers: reply.headers ?? {},
    })
  }
  return { fetch, requests }
}
