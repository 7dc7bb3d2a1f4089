import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { locationAt, partOf } from '@wadi/params/values/located.ts'
import { type CompositeParameters, compositePlan } from '../composite/composite-plan.ts'
import { originIn } from '../../source/option-origin.ts'
import type { PlannedSource, Renderer } from '../../plan/renderer.ts'
import { storedMessage } from '../../parameters/stored-values/value-changes.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'

/** Zarf packages: their charts, kustomizations and manifests. */
export const zarfPackage: Renderer = {
  name: 'package',
  noun: 'a package',
  trialValues: 'beside',
  hasRenderOptions: true,
  detects: async (tree, path) => (await followPath(tree, childPath(path, 'zarf.yaml'))) !== undefined,
  async plan(source) {
    const { path, trace, render } = source
    const given = render && partOf(render.spec, zarfPackage.name)
    if (!(await zarfPackage.detects(trace, path))) {
      if (given === undefined) return undefined
      throw new InvalidInputError(`Render: spec.package is for packages, and "${path}" has no zarf.yaml`, {
        at: given.at,
      })
    }
    refuseOtherOptions(source)
    // Loaded on first use: what plans packages is more code than all the rest, and few sources are packages.
    const { planPackageSource } = await import('./package-plan.ts')
    const { packageOptions } = await import('./rendered-package.ts')
    const composite = await planPackageSource(source, packageOptions(given))
    return compositePlan(composite, {
      renderer: zarfPackage.name,
      inputs: source.inputs.paths(),
      seesNamespace: false,
      parameters: packageView,
    })
  },
}

/** Values, variables and constants of a package, in its own files. */
const packageView: CompositeParameters = {
  describe: async ({ tree, inspection: { path } }) => {
    const { readPackageValues } = await import('./parameters/package-values.ts')
    const { shownPackageParameters } = await import('./parameters/describe-package.ts')
    const stored = shownPackageParameters(await readPackageValues(tree, path))
    return { parameters: stored.map(storedMessage), warnings: [] }
  },
  edit: async ({ tree, inspection: { path } }, wanted) => {
    const { editPackage } = await import('./parameters/edit-package.ts')
    return { files: await editPackage(tree, path, wanted) }
  },
}

function refuseOtherOptions({ path, named, layers, render }: PlannedSource): void {
  const other = named.find((name) => name !== zarfPackage.name)
  if (other === undefined) return
  if (render !== undefined) {
    throw new InvalidInputError(`Render: "${path}" is a package and has options of ${other}; remove them`, {
      at: locationAt(render.spec, [other]),
    })
  }
  const origin = originIn(layers)([other])
  throw new InvalidInputError(
    `source "${path || '.'}" is a package, as it has a zarf.yaml, and has options of another renderer: ${other}; remove them, what decides a package is in zarf-config.yaml`,
    origin?.file ? { at: { file: origin.file, line: origin.line } } : {},
  )
}
