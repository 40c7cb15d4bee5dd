import { isJsonObject } from '#protocol/json.js';

/**
 * The suggestions in what a tool answered: a list of texts or numbers, an object with one as `values`, or a text with one
 * on each line. Undefined when there are none of these.
 */
export function valuesIn(answer: unknown): readonly string[] | undefined {
  if (typeof answer === 'string') return answer.split('\n').filter((line) => line.trim() !== '');
  const values = isJsonObject(answer) ? answer['values'] : answer;
  if (!Array.isArray(values) || !values.every(isValue)) return undefined;
  return values.map(String);
}

function isValue(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
