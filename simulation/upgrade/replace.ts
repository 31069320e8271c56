import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { REPOSITORY_ROOT } from '../../scenarios/harness/service.ts'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import { createAcquirer, type SimulatedAcquirer } from '../acquirers/index.ts'
import type { Findings } from '../system/checks/check-accounts.ts'
import { act, timeFromNow } from '../system/actors/act.ts'
import { Business } from '../system/actors/business.ts'
import { checkBusiness } from '../system/checks/quiet-point.ts'
import { NO_FAULTS } from '../acquirers/faults.ts'
import { drawLoad, type Load, LOAD_ROUND_MS } from '../system/plan/draw-load.ts'
import { Balancer } from './balancer.ts'
import { Program } from './program.ts'
import { copyWith } from './versions.ts'

export interface ReplaceOptions extends Pick<Load, 'plans' | 'orders' | 'months'> {
  readonly seed: number
  readonly log: (message: string) => void
}

interface Versions {
  readonly old: Program
  readonly next: Program
  readonly balancer: Balancer
  readonly findings: Findings
}

const FAULTS = { latency_ms: 5, fail_before: 0.03, fail_after: 0.03, lose_answer: 0.03, seed: 1 }
/** Longer than a circuit breaker stays open, and longer than a killed process counts as at work. */
const SETTLED_MS = 6_000
const GONE_MS = 31_000
const PHASE_MS = 4_000

const COMPATIBLE = `-- Up Migration

-- What the next version adds.
alter table orders add column of_next_version text;
alter table transactions add column of_next_version integer not null default 0;
`
const CONTRACTING = `-- Up Migration

-- Needs programs from 9000: what the version before wrote goes.
alter table orders drop column of_next_version;
`

/**
 * Replaces this version by one with another migration, while either version is killed and starts again on the newer
 * database.
 */
export async function replaceThisVersion(options: ReplaceOptions): Promise<Findings> {
  return withRoot(options, async (root) => {
    const next = await copyWith({ '9000_of_next_version': COMPATIBLE }, join(root, 'next'))
    const last = await copyWith(
      { '9000_of_next_version': COMPATIBLE, '9001_contracts': CONTRACTING },
      join(root, 'last'),
    )
    return replace(options, root, { old: REPOSITORY_ROOT, next }, async (versions) => {
      const { old, next: newer, balancer, findings } = versions
      await newer.start()
      balancer.use([old.port, newer.port])
      for (const killed of [old, newer, old]) {
        await sleep(PHASE_MS)
        balancer.use([old.port, newer.port].filter((port) => port !== killed.port))
        await killed.kill()
        await sleep(300)
        await killed.start()
        balancer.use([old.port, newer.port])
      }
      await sleep(PHASE_MS)
      const contracting = await Program.of(last, newer.env)
      const early = await contracting.run('migrate')
      if (early.exitCode === 0 || !early.output.includes('stop them first')) {
        findings.push(`a contracting migration ran beside an older process: ${early.output}`)
      }
      balancer.use([newer.port])
      findings.push(...(await drained(old)))
      await sleep(GONE_MS)
      const { exitCode, output } = await contracting.run('migrate')
      if (exitCode !== 0) findings.push(`the contracting migration did not run: ${output}`)
      const refused = await old.run('verify')
      if (!refused.output.includes('needs programs from 9000'))
        findings.push(`the old version said: ${refused.output}`)
    })
  })
}

async function drained(program: Program): Promise<Findings> {
  const exitCode = await program.drain()
  return exitCode === 0 ? [] : [`the old version exited with ${exitCode}: ${program.output().slice(-2000)}`]
}

async function withRoot(
  { log }: ReplaceOptions,
  work: (root: string) => Promise<Findings>,
): Promise<Findings> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'quittance-upgrade-')))
  const findings = await work(root)
  if (findings.length === 0) await rm(root, { recursive: true, force: true })
  else log(`the files are in ${root}`)
  return findings
}

async function replace(
  options: ReplaceOptions,
  root: string,
  directories: { readonly old: string; readonly next: string },
  steps: (versions: Versions) => Promise<void>,
): Promise<Findings> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(root, 'data'), log: () => {} })
  const acquirer = createAcquirer('simulator', join(root, 'acquirer'))
  const balancer = await Balancer.start()
  await acquirer.start()
  const env = {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    ...acquirer.env(),
    ACQUIRER_TIMEOUT_MS: '1000',
    ALLOW_PRIVATE_WEBHOOKS: '1',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
  }
  const old = await Program.of(directories.old, { ...env, DATA_DIR: join(root, 'service') })
  const next = await Program.of(directories.next, { ...env, DATA_DIR: join(root, 'service') })
  const findings: Findings = []
  try {
    await old.start()
    balancer.use([old.port])
    const versions = { old, next, balancer, findings }
    await runUnderLoad(options, { root, acquirer, versions, steps })
  } catch (error) {
    findings.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    findings.push(`old: ${old.output().slice(-2000)}`, `new: ${next.output().slice(-2000)}`)
  } finally {
    await Promise.all([old.kill(), next.kill()])
    balancer.close()
    await acquirer.kill().catch(() => {})
    await postgres.stop()
  }
  return findings
}

async function runUnderLoad(
  options: ReplaceOptions,
  run: {
    readonly root: string
    readonly acquirer: SimulatedAcquirer
    readonly versions: Versions
    readonly steps: (versions: Versions) => Promise<void>
  },
): Promise<void> {
  const { acquirer, versions } = run
  const { balancer, findings, next } = versions
  const sandbox = JSON.parse(await readFile(join(run.root, 'service', 'sandbox.json'), 'utf8')) as SandboxFile
  const business = await Business.open({
    index: 0,
    sandbox: { ...sandbox, base_url: balancer.url },
    acquirer,
    signal: AbortSignal.timeout(900_000),
  })
  const { seed, orders } = options
  const [setup, ...rounds] = drawLoad(
    { seed, orders, topology: 'separate', acquirers: ['simulator'], roundMs: LOAD_ROUND_MS },
    { ...options, kills: 0, failovers: 0 },
  ).map((round, number) => async () => {
    await Promise.all(act(round, [business], { number, reach: timeFromNow() }))
  })
  await setup?.()
  await acquirer.setFaults(FAULTS)
  const acting = (async () => {
    for (const actInRound of rounds) await actInRound()
  })()
  acting.catch(() => {})
  await run.steps(versions)
  await acting
  await acquirer.setFaults(NO_FAULTS)
  await sleep(SETTLED_MS)
  findings.push(...(await checkBusiness(business)))
  const { exitCode, output } = await next.run('verify')
  if (exitCode !== 0) findings.push(`verify: ${output.slice(0, 3000)}`)
  const { orders: models, merchant } = business
  options.log(`${models.size} orders, retries ${JSON.stringify([...merchant.retries])}`)
}
