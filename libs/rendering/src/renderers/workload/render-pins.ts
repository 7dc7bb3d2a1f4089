import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import { namesNoHelm, type ToolName, toolNames } from '@wadi/hydration/tool-versions.ts'
import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { type ToolPin, type ToolPins, toolPin } from '@wadi/renderer-tools/tool-pins.ts'

/**
 * Returns the versions that render what a `Render` names: those that it asks for itself and those of the directory.
 * @throws InvalidInputError for what is not one exact version, and naming both places of two that differ
 */
export function renderPins(directory: ToolPins, spec: Located): ToolPins {
  const pins = { ...directory }
  for (const name of toolNames) {
    const written = ownVersion(spec, name)
    // A null removes what the directory says, as in every option of a Render.
    if (written?.value === null) delete pins[name]
    if (written === undefined || written.value === null) continue
    if (name === 'helm' && typeof written.value === 'string' && namesNoHelm(written.value)) continue
    const own = toolPin(written.value, `spec.${name}.version`, written.at, 'operator')
    refuseAnother(own, pins[name])
    pins[name] = own
  }
  return pins
}

function ownVersion(spec: Located, name: ToolName): Located | undefined {
  const options = partOf(spec, name)
  return options && partOf(options, 'version')
}

function refuseAnother(own: ToolPin, other: ToolPin | undefined): void {
  if (other === undefined || other.version === own.version) return
  const place = other.at === undefined ? '' : `${formatLocation(other.at)}: `
  throw new InvalidInputError(
    `Render: ${own.path} is ${own.version}, but ${place}${other.path} is ${other.version}; remove one of them`,
    { at: own.at, path: own.path },
  )
}
