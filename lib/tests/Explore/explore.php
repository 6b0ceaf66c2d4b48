<?php

declare(strict_types=1);

use Larder\Tests\Explore\Double;
use Larder\Tests\Explore\Setting;
use Larder\Tests\Explore\Subject;
use Larder\Tests\Explore\Wrong;

foreach ([\dirname(__DIR__, 3), \dirname(__DIR__, 2)] as $root) {
    if (is_file($root . '/vendor/autoload.php')) {
        require $root . '/vendor/autoload.php';
        break;
    }
}

$usage = <<<'TEXT'
    Usage: php lib/tests/Explore/explore.php [--renderers=N --writers=N [--flushers=N] [--faults] [--every-step]] [--double=NAME] [--format=txt|json]

    Walks the real renderer and writer through every reachable state, over a real SQLite file and real files, with a death at
    every step. Without options: the settings of the test suite. Ends with 1 if anything is wrong in any state.

      --flushers=N  processes that take every page away
      --faults      every call that changes a file may fail
      --every-step  suspend also where other processes cannot notice
      --double=NAME explore the classes with one guard broken; --double=list lists them

    TEXT;

$options = getopt('h', ['renderers:', 'writers:', 'flushers:', 'faults', 'every-step', 'double:', 'format:', 'help'], $rest);
$number = static fn(mixed $option): int => \is_string($option) && preg_match('/^[0-9]$/D', $option) === 1 ? (int) $option : -1;
$format = $options['format'] ?? 'txt';
$double = null;
foreach (Double::cases() as $case) {
    $double = ($options['double'] ?? null) === $case->name ? $case : $double;
}
if (isset($options['h']) || isset($options['help'])) {
    echo $usage;
    exit(0);
}
if (($options['double'] ?? null) === 'list') {
    foreach (Double::cases() as $case) {
        printf("%-26s%s\n", $case->name, $case->value);
    }
    exit(0);
}
$setting = new Setting($number($options['renderers'] ?? '2'), $number($options['writers'] ?? '1'), isset($options['faults']), isset($options['every-step']), $number($options['flushers'] ?? '0'));
if ($rest !== $argc || !\in_array($format, ['txt', 'json'], true) || $setting->renderers < 0 || $setting->writers < 0 || $setting->flushers < 0 || (isset($options['double']) && $double === null)) {
    fwrite(STDERR, $usage);
    exit(2);
}

$asked = isset($options['renderers']) || isset($options['writers']) || isset($options['flushers']) || isset($options['faults']) || isset($options['every-step']);
$settings = match (true) {
    $asked => [$setting],
    $double !== null => [$double->setting()],
    default => Setting::usual(),
};
$report = [];
$wrong = 0;
foreach ($settings as $setting) {
    $begin = hrtime(true);
    $exploration = $setting->explore($double?->subject() ?? new Subject());
    $seconds = (hrtime(true) - $begin) / 1e9;
    $counts = [];
    foreach (Wrong::cases() as $case) {
        $counts[$case->value] = $exploration->wrong[$case->value] ?? 0;
    }
    $wrong += array_sum($counts);
    if ($format === 'json') {
        $report[] = ['setting' => (string) $setting, 'renderers' => $setting->renderers, 'writers' => $setting->writers, 'states' => $exploration->states, 'transitions' => $exploration->transitions]
            + $counts + ['seconds' => round($seconds, 2), 'explained' => $exploration->explained()];
        continue;
    }
    $shown = array_filter($counts, static fn(int $count, string $name): bool => $count > 0 || $name === Wrong::Stale->value, ARRAY_FILTER_USE_BOTH);
    $counted = implode(', ', array_map(static fn(string $name, int $count): string => $count . ' ' . $name, array_keys($shown), $shown));
    printf("%s: %d states, %d transitions, %s, %.1f s\n", $setting, $exploration->states, $exploration->transitions, $counted, $seconds);
    if (array_sum($counts) > 0) {
        echo $exploration->explained(), "\n";
    }
}
if ($format === 'json') {
    echo json_encode($report, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), "\n";
}
exit($wrong > 0 ? 1 : 0);
