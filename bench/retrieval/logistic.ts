/** Features, whether it is so, and how much the example counts. */
export type Example = { features: readonly number[]; so: boolean; weight: number };

/** What features are multiplied by, and what is added; the sum is the logarithm of the odds. */
export type Model = { factors: readonly number[]; constant: number };

export const logOdds = ({ factors, constant }: Model, features: readonly number[]): number =>
  features.reduce((sum, value, index) => sum + value * factors[index]!, constant);

const steps = 3000;
const stride = 1;
/** Pulls factors of features in units of their deviation towards 0: there are some hundred examples. */
const ridge = 0.01;

/** Logistic regression by gradient descent; the same examples always give the same model. */
export function fit(examples: readonly Example[]): Model {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const columns = examples[0]!.features.map((_, index) => examples.map(({ features }) => features[index]!));
  const means = columns.map((values) => values.reduce((a, b) => a + b, 0) / values.length);
  const deviations = columns.map((values, index) => {
    const squares = values.reduce((sum, value) => sum + (value - means[index]!) ** 2, 0);
    return Math.sqrt(squares / values.length) || 1;
  });
  const scaled = examples.map((one) => ({
    ...one,
    features: one.features.map((value, index) => (value - means[index]!) / deviations[index]!),
  }));
  let model: Model = { factors: means.map(() => 0), constant: 0 };
  for (let step = 0; step < steps; step++) {
    const slopes = model.factors.map((factor) => ridge * factor);
    let slope = 0;
    for (const { features, so, weight } of scaled) {
      const error = (weight / total) * (1 / (1 + Math.exp(-logOdds(model, features))) - (so ? 1 : 0));
      slope += error;
      for (const [index, value] of features.entries()) slopes[index]! += error * value;
    }
    const factors = model.factors.map((factor, index) => factor - stride * slopes[index]!);
    model = { factors, constant: model.constant - stride * slope };
  }
  const factors = model.factors.map((factor, index) => factor / deviations[index]!);
  return { factors, constant: model.constant - factors.reduce((sum, one, index) => sum + one * means[index]!, 0) };
}
