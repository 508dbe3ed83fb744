/**
 * @module How much memory and how many files a process holds, as Linux tells. Deno lets nobody without
 * all permissions read `/proc`, hence the shell.
 */

/** One look at one process. */
export interface Size {
  /** Resident memory (VmRSS), in MB. */
  readonly mb: number;
  /** Open file descriptors. */
  readonly files: number;
}

/** One line a process: its folder, resident kB, open files. */
const SCRIPT = `
for folder in "$@"; do
  for cwd in $(find /proc/[0-9]*/cwd -maxdepth 0 -lname "$folder" 2>/dev/null); do
    process=\${cwd%/cwd}
    echo "$folder $(awk '/^VmRSS:/ { print $2 }' "$process/status") $(ls "$process/fd" | wc -l)"
  done
done`;

/** The sizes of processes by their working directories; one that has just ended is missing. */
export async function sizesOf(folders: readonly string[]): Promise<Map<string, Size>> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", SCRIPT, "sh", ...folders],
    stdout: "piped",
    stderr: "null",
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n").map((line) => line.split(" "));
  return new Map(
    lines
      .map(([folder = "", kb, files]) =>
        [folder, { mb: Number(kb) / 1024, files: Number(files) }] as const
      )
      .filter(([, { mb }]) => mb > 0),
  );
}

/** Looks at processes again and again. */
export interface Watch {
  /** All looks so far, by working directory. */
  readonly series: ReadonlyMap<string, readonly Size[]>;
  stop(): void;
}

const EVERY_MS = 10_000;

/** Begins to look, now and every ten seconds; `onLook` is called after each time. */
export function watchSizes(folders: readonly string[], onLook: () => void): Watch {
  const series = new Map<string, Size[]>(folders.map((folder) => [folder, []]));
  async function look(): Promise<void> {
    for (const [folder, size] of await sizesOf(folders)) series.get(folder)?.push(size);
    onLook();
  }
  void look();
  const timer = setInterval(look, EVERY_MS);
  return { series, stop: () => clearInterval(timer) };
}
