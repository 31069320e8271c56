import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import testManifest from '../test-packages/package.json' with { type: 'json' }

test('the tests use the browser of the installed package, whatever the temporary folder holds', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'planted-browser-'))
  try {
    await writeFile(join(temporary, 'chromium'), '#!/bin/sh\necho "this is another browser" >&2\nexit 1\n', {
      mode: 0o700,
    })
    const script = `
      const { startBrowser } = await import('./checkout-browser.ts')
      const browser = await startBrowser()
      console.log(browser.version())
      await browser.close()`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: temporary } },
    )
    expect(stdout.split('.')[0]).toBe(testManifest.dependencies['@sparticuz/chromium'].split('.')[0])
  } finally {
    await rm(temporary, { recursive: true })
  }
})
