import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { REPOSITORY_ROOT } from '../harness/service.ts'

const execute = promisify(execFile)
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const OFFLINE = ['--isolation', 'chroot', '--pull-never']
/** The packages that the stages of the Dockerfile need in their base images. */
const PACKAGES = 'ca-certificates,tzdata,libstdc++6,libatomic1,binutils'

/**
 * The image that `deploy/Dockerfile` makes of what is committed, built and run without a Docker engine: by buildah with
 * chroot isolation, as root. No registry of images need be reachable, because the base images that the Dockerfile names are
 * made of Debian's packages and of the Node from npm.
 */
export class Image {
  readonly #folder: string
  readonly #env: NodeJS.ProcessEnv

  private constructor(folder: string) {
    this.#folder = folder
    this.#env = { ...process.env, CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf') }
  }

  static async build(): Promise<Image> {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-image-'))
    const image = new Image(folder)
    const roots = `runroot = "${join(folder, 'run')}"\ngraphroot = "${join(folder, 'graph')}"`
    await writeFile(join(folder, 'storage.conf'), `[storage]\ndriver = "vfs"\n${roots}\n`)
    await image.#makeBaseImages()
    await image.#build()
    return image
  }

  async startContainer(): Promise<Container> {
    const id = await this.#run('buildah', ['from', ...OFFLINE, 'quittance'])
    const text = await this.#run('buildah', ['inspect', '--type', 'image', 'quittance'])
    const { OCIv1: image } = JSON.parse(text) as Inspected
    return new Container(id, image.config, this.#env)
  }

  async remove(): Promise<void> {
    await this.#run('buildah', ['rm', '--all'])
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #run(program: string, args: readonly string[], cwd: string = REPOSITORY_ROOT): Promise<string> {
    const { stdout } = await execute(program, args, { cwd, env: this.#env, maxBuffer: MAX_OUTPUT_BYTES })
    return stdout.trim()
  }

  /** Makes both under the names that the Dockerfile uses: Debian alone, and Debian with Node and npm. */
  async #makeBaseImages(): Promise<void> {
    const debian = join(this.#folder, 'debian')
    const mirror = await this.#mirrorOfPackages()
    await this.#run('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'trixie', debian, mirror])
    const withNode = join(this.#folder, 'node')
    await this.#run('cp', ['-a', debian, withNode])
    const changes = await this.#addNode(withNode)
    const archive = join(this.#folder, 'base.tar')
    for (const name of await namesOfBaseImages()) {
      const needsNode = name.includes('/node:')
      await this.#run('tar', ['-C', needsNode ? withNode : debian, '-cf', archive, '.'])
      await this.#run('podman', ['import', ...(needsNode ? changes : []), archive, name])
    }
  }

  async #mirrorOfPackages(): Promise<string> {
    const format = '$(ORIGIN) $(CODENAME) $(REPO_URI)'
    const targets = await this.#run('apt-get', ['indextargets', '--format', format])
    const target = targets
      .split('\n')
      .find((line) => line.startsWith('Debian ') && !/security|updates/.test(line))
    const mirror = target?.split(' ')[2]
    if (mirror === undefined) throw new Error('apt knows no mirror of Debian')
    return mirror
  }

  async #addNode(folder: string): Promise<string[]> {
    const local = join(folder, 'usr/local')
    const [node] = globSync('node_modules/node-linux-*/bin/node', { cwd: REPOSITORY_ROOT })
    if (node === undefined) throw new Error('Node is not installed: run `npm ci` first')
    await cp(join(REPOSITORY_ROOT, node), join(local, 'bin/node'))
    const program = await realpath(await this.#run('which', ['npm']))
    await mkdir(join(local, 'lib/node_modules'), { recursive: true })
    const npm = join(local, 'lib/node_modules/npm')
    await cp(dirname(dirname(program)), npm, { recursive: true, dereference: true })
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
    const changes = ['-c', 'ENV PATH=/usr/local/bin:/usr/bin:/bin']
    const certificates = process.env['NODE_EXTRA_CA_CERTS'] ?? ''
    if (!existsSync(certificates)) return changes
    await cp(certificates, join(folder, 'ca.crt'))
    return [...changes, '-c', 'ENV NODE_EXTRA_CA_CERTS=/ca.crt']
  }

  async #build(): Promise<void> {
    const context = join(this.#folder, 'context')
    await this.#run('git', ['clone', '--quiet', REPOSITORY_ROOT, context])
    const settings = [join(homedir(), '.npmrc'), '/etc/npmrc'].filter((file) => existsSync(file))
    const mounts = settings.flatMap((file) => ['-v', `${file}:${file}:ro`])
    const args = ['bud', ...OFFLINE, ...mounts, '-f', 'deploy/Dockerfile', '-t', 'quittance', '.']
    await this.#run('buildah', args, context)
  }
}

interface Inspected {
  readonly OCIv1: { readonly config: Configuration }
}

interface Configuration {
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
}

class Container {
  readonly #id: string
  readonly #configuration: Configuration
  readonly #env: NodeJS.ProcessEnv

  constructor(id: string, configuration: Configuration, env: NodeJS.ProcessEnv) {
    this.#id = id
    this.#configuration = configuration
    this.#env = env
  }

  /** Starts what the image starts by itself, with the network of this machine and `dataDir` as the directory of its data. */
  start(variables: Readonly<Record<string, string>>, dataDir: string): ChildProcess {
    const args = this.#argumentsOf(
      variables,
      ['-v', `${dataDir}:/var/lib/quittance`],
      this.#configuration.Cmd,
    )
    return spawn('buildah', args, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  async run(variables: Readonly<Record<string, string>>, command: string): Promise<string> {
    const args = this.#argumentsOf(variables, [], [command])
    const { stdout } = await execute('buildah', args, { env: this.#env })
    return stdout
  }

  #argumentsOf(
    variables: Readonly<Record<string, string>>,
    mounts: readonly string[],
    command: readonly string[],
  ): string[] {
    const settings = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    return [
      'run',
      '--isolation',
      'chroot',
      ...mounts,
      ...settings,
      this.#id,
      ...this.#configuration.Entrypoint,
      ...command,
    ]
  }
}

async function namesOfBaseImages(): Promise<Set<string>> {
  const dockerfile = await readFile(join(REPOSITORY_ROOT, 'deploy/Dockerfile'), 'utf8')
  const version = /^ARG NODE_VERSION=(.+)$/m.exec(dockerfile)?.[1] ?? ''
  const named = [...dockerfile.matchAll(/^FROM (?:--\S+ )?(\S+)/gm)].map(([, name = '']) => name)
  return new Set(named.map((name) => name.replace('${NODE_VERSION}', version)))
}
