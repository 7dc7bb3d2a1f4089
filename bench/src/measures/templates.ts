import { TemplateWorkers } from '@wadi/engines/templates/template-workers.ts'
import type { Effort } from '../effort.ts'
import { atMost, type Cost, costText, information, type Measurement, median } from '../measurement.ts'

const standardRounds = 5
// The engine's code is compiled again, for speed, while it runs.
const standardWarmUpRounds = 4
const templates = 1_000
const trips = 10_000
// A core that takes 20 µs for one round trip renders 1,000 templates a second at this ratio.
const templateBar = 50
const standardFirstRounds = 3
const firstBar = 0.1

/** Renders small templates of packages on one thread, and compares with taking their data through JSON. */
export async function measureTemplates(effort: Effort): Promise<Measurement[]> {
  const rounds = effort.rounds(standardRounds)
  const warmUpRounds = effort.rounds(standardWarmUpRounds)
  const firstRounds = effort.rounds(standardFirstRounds)
  const objects = objectsText()
  const { first, later } = await measureFirst(objects, firstRounds)
  await using workers = new TemplateWorkers({ threads: 1 })
  const renders: Cost[] = []
  const inspections: Cost[] = []
  const json: Cost[] = []
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    const costs = [
      await timed(() => renderAll(workers, objects)),
      await timed(() => inspectAll(workers)),
      await timed(async () => roundTrips(objects)),
    ] as const
    if (round < warmUpRounds) continue
    renders.push(costs[0])
    inspections.push(costs[1])
    json.push(costs[2])
  }
  const [render, inspection, trip] = [median(renders), median(inspections), median(json)]
  const microseconds = ({ cpu }: Cost, count: number): number => (cpu / count) * 1_000_000
  const [each, tripEach] = [microseconds(render, templates), microseconds(trip, trips)]
  const basis = `median of ${rounds}: ${costText(render)} for ${templates}; JSON round trip of the data: ${tripEach.toFixed(1)} µs`
  return [
    atMost('small template, rendered', each / tripEach, '× JSON round trip', templateBar, basis),
    information('small templates a second and core', Math.round(1_000_000 / each), 'templates', basis),
    information(
      'small template, inspected',
      microseconds(inspection, templates),
      'µs cpu',
      `median of ${rounds}: ${costText(inspection)} for ${templates}`,
    ),
    atMost(
      'small template after the first of a process',
      later / first,
      '× the first',
      firstBar,
      `median of ${firstRounds}: the first ${(first * 1000).toFixed(0)} ms, later ones ${(later * 1000).toFixed(2)} ms`,
    ),
  ]
}

/** Values of 100 leaves and a package of ten components. */
function objectsText(): string {
  const section = (index: number): object =>
    Object.fromEntries(Array.from({ length: 10 }, (_, key) => [`key${key}`, `text ${key} of ${index}`]))
  const Values = {
    web: { replicas: 3, image: 'registry.example/web:1.2.3', labels: { team: 'web', tier: 'front' } },
    ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`section${index}`, section(index)])),
  }
  const component = (index: number): object => ({ name: `c${index}`, required: true, images: ['web:1.2.3'] })
  const components = Array.from({ length: 10 }, (_, index) => component(index))
  const Pkg = { kind: 'ZarfPackageConfig', metadata: { name: 'web' }, components }
  return JSON.stringify({ Values, Variables: { DOMAIN: 'example' }, Constants: {}, State: {}, Pkg })
}

/** A config map of ten lines; every one differs. */
function templateOf(index: number): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Pkg.Metadata.Name }}-${index}
  labels: {{ .Values.web.labels | toYaml | nindent 4 }}
data:
  image: {{ .Values.web.image | quote }}
  replicas: "{{ .Values.web.replicas }}"
  domain: {{ .Variables.DOMAIN }}
  {{- if .Values.section3.key4 }}
  key: {{ .Values.section3.key4 | upper }}
  {{- end }}
`
}

async function renderAll(workers: TemplateWorkers, objects: string): Promise<void> {
  const texts = await Promise.all(
    Array.from({ length: templates }, (_, index) =>
      workers.renderPackage({ name: `m-${index}.yaml`, text: templateOf(index), objects }),
    ),
  )
  const wrong = texts.findIndex((text, index) => !text.includes(`name: web-${index}\n`))
  if (wrong >= 0) throw new Error(`template ${wrong} became ${texts[wrong]}`)
}

async function inspectAll(workers: TemplateWorkers): Promise<void> {
  const found = await Promise.all(
    Array.from({ length: templates }, (_, index) =>
      workers.inspectPackage(`m-${index}.yaml`, templateOf(index)),
    ),
  )
  if (found.some(({ fields }) => fields.length !== 7)) throw new Error('names of a template were not found')
}

function roundTrips(objects: string): void {
  let length = 0
  for (let index = 0; index < trips; index++) length += JSON.stringify(JSON.parse(objects)).length
  if (length !== trips * objects.length) throw new Error('JSON does not lead back to itself')
}

/** Seconds for the first template of new threads, which includes their start, and for the next ones. */
async function measureFirst(objects: string, firstRounds: number): Promise<{ first: number; later: number }> {
  const firsts: Cost[] = []
  const laters: Cost[] = []
  for (let round = 0; round < firstRounds; round++) {
    await using workers = new TemplateWorkers({ threads: 1 })
    const render = (index: number): Promise<string> =>
      workers.renderPackage({ name: 'm.yaml', text: templateOf(index), objects })
    firsts.push(await timed(() => render(0)))
    for (let index = 1; index <= 20; index++) laters.push(await timed(() => render(index)))
  }
  return { first: median(firsts).wall, later: median(laters).wall }
}

async function timed(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage()
  const started = performance.now()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - started) / 1000, cpu: (user + system) / 1_000_000 }
}
