import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** Returns a component that is loaded when it is first shown; what is drawn around it needs a `Suspense`. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }))
}
