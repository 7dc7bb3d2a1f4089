import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { loadLaterTexts } from '../language/catalogue.ts'

/** Returns a component that is loaded, with its texts, when it is first shown; what is drawn around it needs a `Suspense`. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return firstPart(async () => {
    // A module may take texts when it is loaded.
    await loadLaterTexts()
    return load()
  })
}

/** Returns a component as `lazyPart` does, whose texts come with the first page: `firstEntries` of the build names its source. */
export function firstPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }))
}
