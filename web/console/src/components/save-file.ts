import { errorOf, readEnvelope } from '#app/envelope.ts'

/** - `rows`: Of a CSV file. */
export interface DownloadProgress {
  readonly rows?: number
  readonly bytes: number
}

interface SaveOptions {
  /** Whoever is signed in gets the file there, without any header. */
  readonly address: string
  readonly fileName: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: DownloadProgress) => void
}

type SaveFilePicker = (options: {
  suggestedName: string
  types: { description: string; accept: Record<string, string[]> }[]
}) => Promise<FileSystemFileHandle>

const TYPES = {
  csv: { description: 'CSV', accept: { 'text/csv': ['.csv'] } },
  zip: { description: 'ZIP', accept: { 'application/zip': ['.zip'] } },
}
const NEWLINE = 10
/** How often progress is shown. */
const PROGRESS_MS = 150

/**
 * Saves a file while it arrives, without keeping it in memory. Returns undefined where only the browser can write files:
 * it then saves this one itself, and shows its progress. A file that is cut short is not kept.
 */
export async function saveFile(options: SaveOptions): Promise<DownloadProgress | undefined> {
  const { showSaveFilePicker: pick } = window as { showSaveFilePicker?: SaveFilePicker }
  if (pick === undefined) {
    await followLink(options)
    return undefined
  }
  const handle = await pick({
    suggestedName: options.fileName,
    types: [isZip(options) ? TYPES.zip : TYPES.csv],
  })
  return writeTo(handle, options)
}

function isZip({ fileName }: SaveOptions): boolean {
  return fileName.endsWith('.zip')
}

async function writeTo(handle: FileSystemFileHandle, options: SaveOptions): Promise<DownloadProgress> {
  const { address, signal, onProgress } = options
  const body = await read(address, signal)
  let bytes = 0
  // The first line has the names of the columns.
  let rows = -1
  const progress = () => ({ bytes, ...(!isZip(options) && { rows }) })
  let shownAt = 0
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        for (const byte of chunk) if (byte === NEWLINE) rows++
        bytes += chunk.length
        const now = performance.now()
        if (now - shownAt > PROGRESS_MS) {
          shownAt = now
          onProgress(progress())
        }
        controller.enqueue(chunk)
      },
    }),
  )
  // An aborted stream leaves the file as it was.
  await counted.pipeTo(await handle.createWritable(), { signal })
  onProgress(progress())
  return progress()
}

async function followLink({ address, fileName, signal }: SaveOptions): Promise<void> {
  // For a link, a browser reports only that its download failed, and not why.
  await (await read(address, signal)).cancel()
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = fileName
  anchor.click()
}

async function read(address: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch(address, { signal })
  if (!response.ok) throw errorOf(response, await readEnvelope(response))
  if (response.body === null) throw new Error('The service sent no file.')
  return response.body
}
