import { open, rename } from 'node:fs/promises'

/** Writes JSON for its owner only: whole or not at all, and on the disk. */
export async function writeWhole(path: string, content: object): Promise<void> {
  const temporary = `${path}.${process.pid}`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
