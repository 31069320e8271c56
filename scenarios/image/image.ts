import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fastestDirectory } from '#platform/testing/fastest-directory'
import { REPOSITORY_ROOT } from '../harness/service.ts'
import { addNode, unpackDebian } from './debian.ts'
import { execute } from './execute.ts'

const OFFLINE = ['--isolation', 'chroot', '--pull-never']

/**
 * The image that `deploy/Dockerfile` makes of what is committed, built and run without a Docker engine: by buildah with
 * chroot isolation, as root. No registry of images need be reachable, because the base images that the Dockerfile names are
 * made of Debian's packages and of the Node from npm.
 */
export class Image {
  readonly folder: string
  /** A root directory with Debian, a shell and systemd, of which the build stages are made. */
  readonly debian: string
  readonly #env: NodeJS.ProcessEnv

  private constructor(folder: string, debian: string, env: NodeJS.ProcessEnv) {
    this.folder = folder
    this.debian = debian
    this.#env = env
  }

  static async build(): Promise<Image> {
    const folder = await mkdtemp(join(await fastestDirectory(), 'quittance-image-'))
    const { distroless, debian } = await unpackDebian(folder)
    const settings = join(folder, 'storage.conf')
    const roots = `runroot = "${join(folder, 'run')}"\ngraphroot = "${join(folder, 'graph')}"`
    await writeFile(settings, `[storage]\ndriver = "overlay"\n${roots}\n`)
    const image = new Image(folder, debian, { ...process.env, CONTAINERS_STORAGE_CONF: settings })
    const variables = [...(await addNode(debian)), 'npm_config_cache=/npm-cache']
    for (const name of await namesOfBaseImages()) {
      if (name.includes('/node:')) await image.#makeBaseImage(name, debian, variables)
      else await image.#makeBaseImage(name, distroless, ['PATH=/usr/local/bin:/usr/bin:/bin'])
    }
    await image.#build()
    return image
  }

  async startContainer(): Promise<Container> {
    const id = await this.#buildah('from', ...OFFLINE, 'quittance')
    const text = await this.#buildah('inspect', '--type', 'image', 'quittance')
    const { OCIv1: image } = JSON.parse(text) as Inspected
    const root = await this.#buildah('mount', id)
    return new Container(id, root, image.config, this.#env)
  }

  async remove(): Promise<void> {
    await this.#buildah('rm', '--all')
    await rm(this.folder, { recursive: true, force: true })
  }

  #buildah(...args: readonly string[]): Promise<string> {
    return execute('buildah', args, { env: this.#env })
  }

  async #makeBaseImage(name: string, root: string, variables: readonly string[]): Promise<void> {
    const id = await this.#buildah('from', 'scratch')
    await this.#buildah('add', '--quiet', id, root, '/')
    await this.#buildah('config', ...variables.flatMap((variable) => ['--env', variable]), id)
    await this.#buildah('commit', '--quiet', '--rm', id, name)
  }

  async #build(): Promise<void> {
    const context = join(this.folder, 'context')
    await execute('git', ['clone', '--quiet', REPOSITORY_ROOT, context])
    const settings = [join(homedir(), '.npmrc'), '/etc/npmrc'].filter((file) => existsSync(file))
    const packages = await execute('npm', ['config', 'get', 'cache'])
    const mounts = [`${packages}:/npm-cache`, ...settings.map((file) => `${file}:${file}:ro`)]
    const volumes = mounts.flatMap((mount) => ['-v', mount])
    const args = ['bud', ...OFFLINE, ...volumes, '-f', 'deploy/Dockerfile', '-t', 'quittance', '.']
    await execute('buildah', args, { cwd: context, env: this.#env })
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
  /** The directory that is its root. */
  readonly root: string
  readonly #id: string
  readonly #configuration: Configuration
  readonly #env: NodeJS.ProcessEnv

  constructor(id: string, root: string, configuration: Configuration, env: NodeJS.ProcessEnv) {
    this.#id = id
    this.root = root
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

  run(variables: Readonly<Record<string, string>>, command: string): Promise<string> {
    return execute('buildah', this.#argumentsOf(variables, [], [command]), { env: this.#env })
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
