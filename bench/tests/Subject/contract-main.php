<?php

declare(strict_types=1);

// The contract in a process of its own, with the php.ini values of a subject:
// `php -d … contract-main.php ID DIRECTORY ENDPOINTS`.

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Subject\Catalogue;
use Larder\Testbed\Server\Endpoint;
use LogicException;

require __DIR__ . '/../../../vendor/autoload.php';

[, $id, $directory, $serialized] = $argv + ['', '', '', ''];
$endpoints = [];
foreach ((array) unserialize(
    (string) base64_decode($serialized, true),
    ['allowed_classes' => [Endpoint::class]],
) as $endpoint) {
    $endpoints[] = $endpoint instanceof Endpoint ? $endpoint : throw new LogicException('no endpoint');
}
(new Contract(Catalogue::standard()->get($id), $endpoints, $directory, $id . ':'))->check();
echo "kept\n";
