/** @module Colours that `values.css` derives from the brand's, for pictures and for a browser's bars. */

type Three = [number, number, number];

/**
 * The brand's colours, and those of the site that pictures and `theme-color` repeat, as `#rrggbb`.
 *
 * @throws {Error} if a stylesheet does not have a colour in the form that is read here
 */
function coloursOf(
  { brand: brandCss, values }: { readonly brand: string; readonly values: string },
) {
  const brand = hexOf(brandCss, "brand");
  const derived = (name: string) => {
    const pattern = RegExp(
      `--${name}: oklch\\(from var\\(--brand\\) ([\\d.]+) min\\(c, ([\\d.]+)\\) h\\);`,
    );
    const [, lightness, most] = pattern.exec(values) ?? missing(name);
    return shade(brand, Number(lightness), Number(most));
  };
  return {
    brand,
    accent: hexOf(brandCss, "accent"),
    deep: derived("deep"),
    theme: { light: hexOf(values, "ground"), dark: derived("ground") },
  };
}

export { coloursOf }; // with its inferred type

function hexOf(css: string, name: string): string {
  const [, hex] = RegExp(`--${name}: (#[0-9a-f]{6});`, "i").exec(css) ?? missing(name);
  return hex!.toLowerCase();
}

function missing(name: string): never {
  throw new Error(`static/styles has no --${name} that can be read`);
}

/** `oklch(from COLOUR lightness min(c, most) h)` (CSS Color 5). */
function shade(colour: string, lightness: number, most: number): string {
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const linear = channels.map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const [, a, b] = times(TO_LAB, times(TO_CONES, linear).map(Math.cbrt));
  const chroma = Math.hypot(a, b);
  const scale = chroma === 0 ? 0 : Math.min(chroma, most) / chroma;
  const cones = times(FROM_LAB, [lightness, a * scale, b * scale]).map((v) => v ** 3);
  const bytes = times(FROM_CONES, cones).map((v) => {
    const encoded = v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, encoded)) * 255).toString(16).padStart(2, "0");
  });
  return `#${bytes.join("")}`;
}

function times(matrix: readonly Three[], vector: readonly number[]): Three {
  return matrix.map((row) => row.reduce((sum, one, at) => sum + one * vector[at]!, 0)) as Three;
}

// Oklab (CSS Color 4 §9.3), from and to linear sRGB by way of the eye's cones.
const TO_CONES: readonly Three[] = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: readonly Three[] = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const FROM_LAB: readonly Three[] = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const FROM_CONES: readonly Three[] = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];
