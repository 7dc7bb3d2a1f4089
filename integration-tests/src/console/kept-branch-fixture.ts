import { configMap } from '../application-fixture.ts'
import type { HydrationFixture } from '../hydration-fixture.ts'
import { versionChart } from '../tools/version-chart-fixture.ts'

/** The Helm that the branch keeps. */
export const keptHelm = '3.22.0'

/**
 * Makes a branch that keeps an older Helm, with the Application `<name>-chart` that it renders and `<name>-plain` of plain manifests; returns
 * the address of its page.
 */
export async function makeKeptBranch(fixture: HydrationFixture, name: string): Promise<string> {
  const branch = `environments/${name}`
  const [chart, plain] = [`${name}-chart`, `${name}-plain`]
  const repository = await fixture.createRepository(name, {
    ...versionChart(chart),
    [`${plain}/a.yaml`]: configMap(plain, '1'),
  })
  const tools = [{ name: 'helm', version: `v${keptHelm}` }]
  await repository.pushForeign(branch, { 'hydrator.metadata': JSON.stringify({ tools }) })
  const common = { repoURL: repository.url, branch }
  await fixture.applyAndWait(
    await repository.dry.head(),
    { ...common, name: chart },
    { ...common, name: plain },
  )
  return `/branch?${new URLSearchParams({ repository: repository.url, branch }).toString()}`
}
