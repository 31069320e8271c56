import type { Api, QueryValues } from '#app/api.ts'

export interface CsvProgress {
  readonly rows: number
  readonly bytes: number
}

interface CsvOptions {
  readonly api: Api
  readonly path: string
  readonly query: QueryValues
  readonly fileName: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: CsvProgress) => void
}

type SaveFilePicker = (options: {
  suggestedName: string
  types: { description: string; accept: Record<string, string[]> }[]
}) => Promise<FileSystemFileHandle>

const NEWLINE = 10
/** How often progress is shown. */
const PROGRESS_MS = 150

/**
 * Saves a list as CSV while it arrives. Where the browser can write files, the rows never stand in memory. A file that is
 * cut short is not kept.
 */
export async function downloadCsv({
  api,
  path,
  query,
  fileName,
  signal,
  onProgress,
}: CsvOptions): Promise<CsvProgress> {
  const { showSaveFilePicker: pick } = window as { showSaveFilePicker?: SaveFilePicker }
  const handle = await pick?.({
    suggestedName: fileName,
    types: [{ description: 'CSV', accept: { 'text/csv': ['.csv'] } }],
  })
  const response = await api.csv(path, query, signal)
  if (response.body === null) throw new Error('The service sent no rows.')
  let progress: CsvProgress = { rows: -1, bytes: 0 }
  let shownAt = 0
  const counted = response.body.pipeThrough(
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
  if (handle !== undefined) {
    // An aborted stream leaves the file as it was.
    await counted.pipeTo(await handle.createWritable(), { signal })
  } else {
    saveBlob(await new Response(counted).blob(), fileName)
  }
  onProgress(progress)
  return progress
}

function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(new Blob([blob], { type: 'text/csv' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName
  anchor.click()
  // Safari reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
