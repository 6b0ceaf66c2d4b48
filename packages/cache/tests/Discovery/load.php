<?php

declare(strict_types=1);

// Works on the servers of a file until the file "stop" lies beside it, and prints JSON: how many requests, what failed,
// on how many lists. Arguments: the autoloader, the file, the number of this process. The list in use lies in the file
// "seen.NUMBER" after each change, and in "worked.NUMBER" once 1,002 requests were made on it.

use Larder\Discovery\DiscoveredMemcached;
use Larder\Discovery\FileServers;
use Larder\Memcached;
use Larder\Outcome;

[, $autoload, $file, $number] = $argv;
require $autoload;
$servers = new DiscoveredMemcached(
    new FileServers($file),
    static fn(array $servers): Memcached => new Memcached($servers, "process$number:", timeout: 5000),
);
$requests = $lists = $onThisList = 0;
$wrong = [];
$former = null;
while (!is_file(dirname($file) . '/stop')) {
    $client = $servers->client();
    if ($client !== $former) {
        // From here on nothing goes to a server that is no longer on the list.
        file_put_contents(dirname($file) . "/seen.$number.new", (string) file_get_contents($file));
        rename(dirname($file) . "/seen.$number.new", dirname($file) . "/seen.$number");
        $former = $client;
        $onThisList = 0;
        ++$lists;
    }
    $key = (string) ($requests % 500);
    $value = "$key " . str_repeat('x', $requests % 2000);
    $many = array_fill_keys(array_map(static fn(int $n): string => "$key.$n", range(1, 20)), $value);
    $found = null;
    foreach ([
        static fn(): bool => $client->set($key, $value) === Outcome::Done,
        static fn(): bool => $client->get($key) === $value,
        static fn(): bool => array_unique($client->setMultiple($many), SORT_REGULAR) === ["$key.1" => Outcome::Done],
        static fn(): bool => $client->getMultiple(array_keys($many)) === $many,
        static fn(): bool => is_int($client->increment("count.$key", 1, 1)),
        static fn(): bool => $client->deleteMultiple(array_keys($many)) === array_fill_keys(
            array_keys($many),
            Outcome::Done,
        ),
    ] as $step => $request) {
        ++$requests;
        $isRight = $request();
        foreach ($client->failures() as $failure) {
            $wrong[] = "step $step: $failure->message";
        }
        if (!$isRight) {
            $wrong[] = "step $step: another answer than expected";
        }
        if (++$onThisList === 1002) {
            copy(dirname($file) . "/seen.$number", dirname($file) . "/worked.$number");
        }
    }
}
echo json_encode(
    ['requests' => $requests, 'lists' => $lists, 'wrong' => array_slice($wrong, 0, 20)],
    JSON_THROW_ON_ERROR,
);
