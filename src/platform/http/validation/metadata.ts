import { platformErrors } from '#platform/errors'

export type Metadata = Readonly<Record<string, string>> | null

export type MetadataEdit = Readonly<Record<string, string | null>>

/** The bound of reference/conventions#metadata. */
export const MAX_METADATA_KEYS = 50

export function editMetadata(current: Metadata, edit: MetadataEdit | undefined, param: string): Metadata {
  if (edit === undefined) return current
  const entries = Object.entries({ ...current, ...edit }).filter(hasText)
  if (entries.length > MAX_METADATA_KEYS) {
    throw platformErrors.too_many_metadata_keys({
      param,
      message: `${param} would have ${entries.length} keys; at most ${MAX_METADATA_KEYS} are allowed.`,
    })
  }
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

function hasText(entry: [string, string | null]): entry is [string, string] {
  return entry[1] !== null && entry[1] !== ''
}

export function storedMetadata(metadata: Metadata): string | null {
  return metadata === null ? null : JSON.stringify(metadata)
}

export function readMetadata(stored: string | null): Metadata {
  return stored === null ? null : (JSON.parse(stored) as Metadata)
}
