<?php

declare(strict_types=1);

// Works on the servers of a file while they die and come back empty, until the file "stop" lies beside it, and prints
// JSON: how many requests, how often nobody answered, on how many lists, and what was wrong: a value that is not the
// last one that was stored, nor one of those since whose fate nobody knows. Exceptions end it. Arguments: the
// autoloader, the file, the number of this process. After each 100 requests the file "count.NUMBER" has their number
// and the present list.

use Larder\Discovery\DiscoveredMemcached;
use Larder\Discovery\FileServers;
use Larder\Memcached;
use Larder\Outcome;

[, $autoload, $file, $number] = $argv;
require $autoload;
$servers = new DiscoveredMemcached(
    new FileServers($file),
    static fn(array $servers): Memcached => new Memcached($servers, "dying$number:", timeout: 5000, retry: 5),
);
$requests = $lists = $unanswered = $version = 0;
$wrong = [];
$former = null;
/** @var array<string, list<int>> $possible what may be found, by key */
$possible = [];
$look = static function (string $key, mixed $found) use (&$possible, &$wrong): void {
    if (!in_array($found, $possible[$key] ?? [], true)) {
        $wrong[] = "$key is " . json_encode($found) . ', not one of ' . json_encode($possible[$key] ?? []);
    }
};
while (!is_file(dirname($file) . '/stop')) {
    $list = (string) file_get_contents($file);
    $client = $servers->client();
    $lists += $client === $former ? 0 : 1;
    $former = $client;
    $key = 'key' . $requests % 97;
    $other = 'key' . ($requests * 7 + 1) % 97;
    $requests += 4;
    $stored = $client->set($key, ++$version);
    $unanswered += count($client->failures());
    $possible[$key] = match ($stored) {
        Outcome::Done => [$version],
        Outcome::Unknown => [...$possible[$key] ?? [], $version],
        default => $possible[$key] ?? [],
    };
    foreach ([[$key], [$other], [$key, $other, 'key3']] as $keys) {
        foreach ($client->getMultiple($keys) as $name => $found) {
            $look((string) $name, $found);
        }
        $unanswered += count($client->failures());
    }
    if ($requests % 100 === 0) {
        file_put_contents(dirname($file) . "/count.$number.new", "$requests\n$list");
        rename(dirname($file) . "/count.$number.new", dirname($file) . "/count.$number");
    }
}
echo json_encode([
    'requests' => $requests,
    'lists' => $lists,
    'unanswered' => $unanswered,
    'wrong' => array_slice($wrong, 0, 20),
], JSON_THROW_ON_ERROR);
