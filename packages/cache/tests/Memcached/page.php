<?php

declare(strict_types=1);

/* What one request of PhpFpmTest does. All have the same pool. */

final class Ending
{
    /** @return array<string, int> */
    public function __serialize(): array
    {
        return ['x' => 1];
    }

    /** @param array<string, int> $values */
    public function __unserialize(array $values): void
    {
        exit('ended');
    }
}

$at = explode(' ', is_string($_GET['at'] ?? null) ? $_GET['at'] : '');
$key = is_string($_GET['key'] ?? null) ? $_GET['key'] : 'key1';
$cache = new Larder\Memcached($at, timeout: 300, retry: 1, objects: [Ending::class]);
$large = array_map(static fn(int $number): string => 'key' . $number, range(1, 40));
$small = array_map(static fn(int $number): string => 'small' . $number, range(1, 40));
$keys = isset($_GET['small']) ? $small : $large;
$value = static fn(string $key): string => str_repeat($key . ' ', str_starts_with($key, 'small') ? 50 : 20000);
$got = [];
$found = match ($_GET['do'] ?? '') {
    'fill' => count(
        $cache->setMultiple(
            array_combine([...$large, ...$small], array_map($value, [...$large, ...$small]))
                + ['ending' => new Ending()],
        ),
    ),
    'check' => count($got = $cache->getMultiple($keys)),
    'one' => is_string($one = $cache->get($key))
        ? ($one === $value($key) ? 'its own' : 'wrong: ' . substr($one, 0, 20))
        : 'none',
    'ending' => count($cache->getMultiple(['key1', 'ending', 'key2'])),
    /* More than fits: what has no room is a miss. */
    'memory' => ini_set('memory_limit', '2M') . count($cache->getMultiple($keys)),
    default => '',
};
$wrong = 0;
foreach ($got as $key => $one) {
    $wrong += $one === $value((string) $key) ? 0 : 1;
}
echo json_encode([
    'found' => $found,
    'wrong' => $wrong,
    'worker' => getmypid(),
    'failures' => array_map(static fn(Larder\Failure $failure): string => $failure->kind->name, $cache->failures()),
    'connects' => array_sum(array_column($cache->info(), 'connects')),
    'inDoubt' => array_sum(array_column($cache->info(), 'closedInDoubt')),
]);
