export interface Import {
  readonly from: string
  readonly to: string
}

/**
 * Finds circles between the folders of each module: `src/modules/cards: cards → hooks → cards`. Types count, tests
 * do not. The files beside the folders (`module.ts`, `context.ts`) connect the folders and do not count.
 */
export function folderCircles(imports: readonly Import[]): string[] {
  const modules = new Map<string, Map<string, Set<string>>>()
  for (const { from, to } of imports) {
    const [source, target] = [folderOf(from), folderOf(to)]
    if (source === undefined || target === undefined) continue
    if (source.module !== target.module || source.folder === target.folder) continue
    const folders = modules.getOrInsertComputed(source.module, () => new Map<string, Set<string>>())
    folders.getOrInsertComputed(source.folder, () => new Set()).add(target.folder)
  }
  return [...modules].flatMap(([module, folders]) => {
    const circle = findCircle(folders)
    return circle === undefined ? [] : [`src/modules/${module}: ${circle.join(' → ')}`]
  })
}

function folderOf(path: string): { readonly module: string; readonly folder: string } | undefined {
  if (/\.test\.ts$|\/testing\//.test(path)) return undefined
  const [, module, folder] = /^src\/modules\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  return module === undefined || folder === undefined ? undefined : { module, folder }
}

/** Depth first; a folder that is met again on the current path closes a circle. */
function findCircle(folders: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>()
  const visit = (folder: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder]
    if (done.has(folder)) return undefined
    for (const next of folders.get(folder) ?? []) {
      const circle = visit(next, [...path, folder])
      if (circle !== undefined) return circle
    }
    done.add(folder)
    return undefined
  }
  for (const folder of folders.keys()) {
    const circle = visit(folder, [])
    if (circle !== undefined) return circle
  }
  return undefined
}
