import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, realpath, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { REPOSITORY_ROOT } from '../harness/service.ts'
import { execute } from './execute.ts'

/** What distroless/cc consists of. */
const DISTROLESS = [
  'base-files',
  'ca-certificates',
  'libc6',
  'libgcc-s1',
  'libssl3t64',
  'libstdc++6',
  'tzdata',
]
/** What the commands of the Dockerfile need in the image of Node, and what a machine with systemd does. */
const PROGRAMS =
  'base-passwd,bash,binutils,coreutils,dash,findutils,libatomic1,libc-bin,mawk,systemd,util-linux'.split(',')
/** Nothing reads these, and they would be copied several times. */
const UNUSED = 'usr/share/{doc,info,locale,man}'

/**
 * Makes two directories of Debian 13 that can be the root of a container: one like distroless/cc, without a shell, and one with
 * a shell and systemd. To save time, the packages are unpacked but not configured.
 */
export async function unpackDebian(folder: string): Promise<{ distroless: string; debian: string }> {
  const [distroless, debian] = [join(folder, 'distroless'), join(folder, 'debian')]
  const packages = [...DISTROLESS, ...PROGRAMS].join(',')
  const keepPackages = '--skip=essential/unlink,cleanup'
  const options = [
    '--quiet',
    '--variant=extract',
    '--format=directory',
    keepPackages,
    `--include=${packages}`,
  ]
  await execute('mmdebstrap', [...options, 'trixie', debian, await mirrorOfPackages()])
  await mkdir(distroless)
  const archives = join(debian, 'var/cache/apt/archives')
  for (const name of DISTROLESS) {
    const [archive = ''] = globSync(`${name}_*.deb`, { cwd: archives })
    await execute('dpkg-deb', ['--extract', join(archives, archive), distroless])
  }
  for (const path of [...globSync(UNUSED, { cwd: debian }), 'var/cache/apt', 'var/lib/apt']) {
    await rm(join(debian, path), { recursive: true })
  }
  // Debian makes these two when it configures packages.
  await symlink('mawk', join(debian, 'usr/bin/awk'))
  await mkdir(join(debian, 'usr/local/bin'), { recursive: true })
  return { distroless, debian }
}

async function mirrorOfPackages(): Promise<string> {
  const targets = await execute('apt-get', ['indextargets', '--format', '$(ORIGIN) $(CODENAME) $(REPO_URI)'])
  const target = targets
    .split('\n')
    .find((line) => line.startsWith('Debian ') && !/security|updates/.test(line))
  const mirror = target?.split(' ')[2]
  if (mirror === undefined) throw new Error('apt knows no mirror of Debian')
  return mirror
}

/** Adds the Node of `npm ci` and this machine's npm, and returns the variables that the image needs. */
export async function addNode(root: string): Promise<string[]> {
  const local = join(root, 'usr/local')
  const [node] = globSync('node_modules/node-linux-*/bin/node', { cwd: REPOSITORY_ROOT })
  if (node === undefined) throw new Error('Node is not installed: run `npm ci` first')
  await cp(join(REPOSITORY_ROOT, node), join(local, 'bin/node'))
  const program = await realpath(await execute('which', ['npm']))
  await mkdir(join(local, 'lib/node_modules'), { recursive: true })
  const npm = join(local, 'lib/node_modules/npm')
  await cp(dirname(dirname(program)), npm, { recursive: true, dereference: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const path = 'PATH=/usr/local/bin:/usr/bin:/bin'
  const certificates = process.env['NODE_EXTRA_CA_CERTS'] ?? ''
  if (!existsSync(certificates)) return [path]
  await cp(certificates, join(root, 'ca.crt'))
  return [path, 'NODE_EXTRA_CA_CERTS=/ca.crt']
}
