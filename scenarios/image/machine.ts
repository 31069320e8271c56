import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { stopProcess } from '../harness/service.ts'
import { execute } from './execute.ts'

const UNITS = 'etc/systemd/system'

interface Installation {
  /** The directory that `npm run build:production` made, and its Node. */
  readonly app: string
  readonly node: string
  /** The units to enable, by their names without `.service`. */
  readonly units: readonly string[]
  /** The files of `/etc/quittance` by their names. */
  readonly files: Readonly<Record<string, string>>
  readonly simulatorPort: number
}

/**
 * A Debian in which systemd is process 1, as a container of systemd-nspawn. It shares the network of this machine, and cgroups are
 * all that it needs from the kernel. No other systemd need run.
 */
export class Machine {
  readonly #root: string
  #process: ChildProcess | undefined

  constructor(root: string) {
    this.#root = root
  }

  /** Does the steps of docs/operating/deploying.md#systemd in the directory of the machine. */
  async install({ app, node, units, files, simulatorPort }: Installation): Promise<void> {
    await this.#configure()
    const program = this.#path('opt/quittance')
    await cp(app, program, { recursive: true })
    await mkdir(join(program, 'bin'))
    await copyFile(node, join(program, 'bin/node'))
    await mkdir(this.#path('etc/quittance'), { mode: 0o700 })
    for (const [name, content] of Object.entries(files)) {
      await writeFile(this.#path('etc/quittance', name), content)
    }
    for (const unit of ['quittance@.service', 'quittance-simulator.service']) {
      await copyFile(join('deploy/systemd', unit), this.#path(UNITS, unit))
    }
    // The unit has a fixed port, which another process of this machine may have.
    const dropIn = this.#path(UNITS, 'quittance-simulator.service.d')
    await mkdir(dropIn)
    await writeFile(join(dropIn, 'port.conf'), `[Service]\nEnvironment=SIMULATOR_PORT=${simulatorPort}\n`)
    await mkdir(this.#path(UNITS, 'multi-user.target.wants'), { recursive: true })
    for (const unit of units) {
      const file = `../${unit.replace(/@.*/, '@')}.service`
      await symlink(file, this.#path(UNITS, 'multi-user.target.wants', `${unit}.service`))
    }
  }

  /** What Debian does when it configures these packages. */
  async #configure(): Promise<void> {
    for (const name of ['passwd', 'group']) {
      await copyFile(this.#path('usr/share/base-passwd', `${name}.master`), this.#path('etc', name))
    }
    await writeFile(this.#path('etc/machine-id'), '')
    await mkdir(this.#path('var/log/journal'), { recursive: true })
    await rm(this.#path(UNITS, 'default.target'), { force: true })
    await symlink('/usr/lib/systemd/system/multi-user.target', this.#path(UNITS, 'default.target'))
  }

  start(): ChildProcess {
    const host = ['--register=no', '--keep-unit', '--resolv-conf=off', '--timezone=off', '--console=pipe']
    this.#process = spawn('systemd-nspawn', [...host, `--directory=${this.#root}`, '--boot'], {
      env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
      stdio: 'ignore',
    })
    return this.#process
  }

  /** Stops all units and then the machine, and returns what the journal says. */
  async stop(): Promise<string> {
    if (this.#process !== undefined) await stopProcess(this.#process, 'SIGTERM')
    // It makes this directory and removes it only where `/run` is in memory.
    await rm(join('/run/systemd/nspawn/propagate', basename(this.#root)), { recursive: true, force: true })
    return this.journal()
  }

  journal(): Promise<string> {
    const options = ['--no-pager', '--quiet', '--output=cat']
    return execute('journalctl', [`--directory=${this.#path('var/log/journal')}`, ...options])
  }

  /** Runs a command of Quittance there with these variables. */
  run(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
    const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    const command = ['/opt/quittance/bin/node', '/opt/quittance/src/main.js', ...args]
    return execute('/usr/sbin/chroot', [this.#root, '/usr/bin/env', ...settings, ...command])
  }

  #path(...names: readonly string[]): string {
    return join(this.#root, ...names)
  }
}
