import type { Config } from '#platform/config'
import { readSandbox } from '../sandbox-file.ts'

export async function baseUrlOf(config: Config): Promise<string> {
  if (config.publicUrl !== undefined) return config.publicUrl
  // A damaged file must not fail the command: the new business's secrets are shown only now.
  const sandbox = await readSandbox(config.dataDir).catch(() => undefined)
  return sandbox?.base_url ?? `http://${config.host}:${config.port}`
}
