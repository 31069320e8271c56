import type Stripe from 'stripe'
import { invalidRequest } from '../errors.ts'
import { newStripeId, randomText, type Tx } from '../store.ts'

const PURPOSES = new Set([
  'dispute_evidence',
  'identity_document',
  'business_logo',
  'additional_verification',
])
/** Of evidence, in bytes. */
const MAX_BYTES = 5_000_000

export interface Upload {
  readonly purpose: string
  readonly name: string
  readonly content: Buffer
}

/** Reads a multipart body with the members `purpose` and `file`. */
export async function readUpload(body: Buffer, contentType: string): Promise<Upload> {
  if (!contentType.startsWith('multipart/form-data')) {
    throw invalidRequest('Files must be sent as multipart/form-data.')
  }
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw invalidRequest('The body is not valid multipart/form-data.')
    })
  const purpose = form.get('purpose')
  const file = form.get('file')
  if (typeof purpose !== 'string' || !PURPOSES.has(purpose)) {
    throw invalidRequest('Missing required param: purpose.', { code: 'parameter_missing', param: 'purpose' })
  }
  if (file === null || typeof file === 'string') {
    throw invalidRequest('Missing required param: file.', { code: 'parameter_missing', param: 'file' })
  }
  return { purpose, name: file.name, content: Buffer.from(await file.arrayBuffer()) }
}

export function createFile(tx: Tx, upload: Upload): Stripe.File {
  if (upload.content.length > MAX_BYTES) {
    throw invalidRequest(`The file must be at most ${MAX_BYTES} bytes.`, { param: 'file' })
  }
  const id = newStripeId('file')
  const file: Stripe.File = {
    id,
    object: 'file',
    created: tx.now,
    expires_at: null,
    filename: upload.name,
    links: { object: 'list', data: [], has_more: false, url: `/v1/file_links?file=${id}` },
    purpose: upload.purpose,
    size: upload.content.length,
    title: null,
    type: typeOf(upload),
    url: `https://files.stripe.com/v1/files/${id}/contents?token=${randomText(16)}`,
  }
  tx.insert('file', file, { content: upload.content.toString('base64') })
  return file
}

function typeOf({ content, name }: Upload): string {
  const start = content.toString('latin1', 0, 4)
  if (start === '%PDF') return 'pdf'
  if (start.slice(1) === 'PNG') return 'png'
  if (start.startsWith('\xff\xd8')) return 'jpg'
  return name.split('.').at(-1) ?? 'txt'
}
