import { type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import {
  type MetricObject,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { programVersion } from '../../schema/settings/version.ts';

type Metric = MetricObjectWithValues<MetricValue<string>>;

/** The metrics of `/-/metrics` for OTLP, read at each export, so that both have the same. */
export function registryProducer(registries: readonly Registry[]): MetricProducer {
  const startTime = hrTime();
  return {
    collect: async () => {
      const metrics = await Registry.merge([...registries]).getMetricsAsJSON();
      const endTime = hrTime();
      const scope = { name: 'millrace', version: programVersion };
      const data = metrics.flatMap((metric) => dataOf(metric, { startTime, endTime }) ?? []);
      return {
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics: [{ scope, metrics: data }],
        },
        errors: [],
      };
    },
  };
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** Null for a summary, which none of the metrics is. */
function dataOf(metric: Metric, times: Times): MetricData | null {
  const { name, help } = metric as Metric & MetricObject;
  const base = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // prom-client declares the types as an enumeration, and gives their names
  const type = String(metric.type);
  if (type === 'histogram') {
    const dataPoints = histograms(metric, times);
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = metric.values.map(({ value, labels }) => ({
    ...times,
    attributes: withoutUndefined(labels),
    value,
  }));
  if (type === 'counter') {
    return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  }
  return type === 'gauge' ? { ...base, dataPointType: DataPointType.GAUGE, dataPoints } : null;
}

type Labels = MetricValue<string>['labels'];

const withoutUndefined = (labels: Labels): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Prometheus counts up to each boundary, OTLP between them. */
function histograms(metric: Metric, times: Times): DataPoint<Histogram>[] {
  const series = new Map<
    string,
    {
      readonly attributes: Record<string, string | number>;
      boundaries: number[];
      upTo: number[];
      sum: number;
      count: number;
    }
  >();
  for (const entry of metric.values as readonly (MetricValue<string> & { metricName?: string })[]) {
    const { le, ...attributes } = withoutUndefined(entry.labels);
    const key = JSON.stringify(attributes);
    const point = series.get(key) ?? { attributes, boundaries: [], upTo: [], sum: 0, count: 0 };
    series.set(key, point);
    if (entry.metricName?.endsWith('_sum')) point.sum = entry.value;
    else if (entry.metricName?.endsWith('_count')) point.count = entry.value;
    else if (typeof le === 'number') {
      point.boundaries.push(le);
      point.upTo.push(entry.value);
    }
  }
  return [...series.values()].map(({ attributes, boundaries, upTo, sum, count }) => ({
    ...times,
    attributes,
    value: {
      buckets: {
        boundaries,
        counts: [...upTo, count].map((total, place) => total - (upTo[place - 1] ?? 0)),
      },
      sum,
      count,
    },
  }));
}
