import { errorOf, readEnvelope } from '#app/envelope.ts'

export interface DownloadProgress {
  readonly rows: number
  readonly bytes: number
}

interface SaveOptions {
  /** Whoever is signed in gets the CSV file there, without any header. */
  readonly address: string
  readonly fileName: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: DownloadProgress) => void
}

type SaveFilePicker = (options: {
  suggestedName: string
  types: { description: string; accept: Record<string, string[]> }[]
}) => Promise<FileSystemFileHandle>

const NEWLINE = 10
/** How often progress is shown. */
const PROGRESS_MS = 150

/**
 * Saves a CSV file while it arrives, without keeping it in memory. Returns undefined where only the browser can write files:
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
    types: [{ description: 'CSV', accept: { 'text/csv': ['.csv'] } }],
  })
  return writeTo(handle, options)
}

async function writeTo(
  handle: FileSystemFileHandle,
  { address, signal, onProgress }: SaveOptions,
): Promise<DownloadProgress> {
  const rows = await read(address, signal)
  let progress: DownloadProgress = { rows: -1, bytes: 0 }
  let shownAt = 0
  const counted = rows.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        let lines = 0
        for (const byte of chunk) if (byte === NEWLINE) lines++
        progress = { rows: progress.rows + lines, bytes: progress.bytes + chunk.length }
        const now = performance.now()
        if (now - shownAt > PROGRESS_MS) {
          shownAt = now
          onProgress(progress)
        }
        controller.enqueue(chunk)
      },
    }),
  )
  // An aborted stream leaves the file as it was.
  await counted.pipeTo(await handle.createWritable(), { signal })
  onProgress(progress)
  return progress
}

async function followLink({ address, fileName, signal }: SaveOptions): Promise<void> {
  // A browser says of a link only that its download failed, and not why.
  await (await read(address, signal)).cancel()
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = fileName
  anchor.click()
}

async function read(address: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch(address, { signal })
  if (!response.ok) throw errorOf(response, await readEnvelope(response))
  if (response.body === null) throw new Error('The service sent no rows.')
  return response.body
}
